(function () {
  'use strict';
  var WIDTH = 1200, CHARACTER = 7.2;
  var byId = function (id) { return document.getElementById(id); };
  var group = byId('frames');
  var total = Number(group.getAttribute('data-total'));
  var frames = Array.prototype.map.call(group.querySelectorAll('.frame'), function (node) {
    var number = function (name) { return Number(node.getAttribute(name)); };
    var title = node.querySelector('title').textContent;
    return {
      node: node, x: number('data-x'), w: number('data-w'), d: number('data-d'), title: title,
      name: title.replace(/ \([^()]*\)$/, ''), rect: node.querySelector('rect'), text: node.querySelector('text')
    };
  });

  function label(frame, width) {
    var room = Math.max(0, Math.floor((width - 6) / CHARACTER));
    if (frame.name.length <= room) return frame.name;
    return room < 3 ? '' : frame.name.slice(0, room - 2) + '..';
  }

  function zoom(focus) {
    var scale = WIDTH / focus.w;
    frames.forEach(function (frame) {
      var isAbove = frame.d < focus.d && frame.x <= focus.x && frame.x + frame.w >= focus.x + focus.w;
      var isBelow = frame.d >= focus.d && frame.x >= focus.x && frame.x + frame.w <= focus.x + focus.w;
      frame.node.classList.toggle('hidden', !isAbove && !isBelow);
      frame.node.classList.toggle('above', isAbove);
      if (!isAbove && !isBelow) return;
      var x = isAbove ? 0 : (frame.x - focus.x) * scale;
      var width = isAbove ? WIDTH : frame.w * scale;
      frame.rect.setAttribute('x', x);
      frame.rect.setAttribute('width', width);
      frame.text.setAttribute('x', x + 3);
      frame.text.textContent = label(frame, width);
    });
  }

  function search(words) {
    var matches = function () { return false; };
    if (words) {
      try {
        var expression = new RegExp(words, 'i');
        matches = function (name) { return expression.test(name); };
      } catch (error) {
        var lower = words.toLowerCase();
        matches = function (name) { return name.toLowerCase().indexOf(lower) >= 0; };
      }
    }
    var spans = [];
    frames.forEach(function (frame) {
      var isFound = matches(frame.name);
      frame.node.classList.toggle('found', isFound);
      if (isFound) spans.push(frame);
    });
    // Frames above a found one add nothing: their weight is part of its own.
    spans.sort(function (a, b) { return a.x - b.x || b.w - a.w; });
    var end = 0, weight = 0;
    spans.forEach(function (frame) {
      if (frame.x >= end) { weight += frame.w; end = frame.x + frame.w; }
    });
    byId('found').textContent = words ? words + ': ' + (weight * 100 / total).toFixed(2) + ' %' : '';
  }

  function ask() {
    var words = window.prompt('Search for names (a regular expression, in any letter case)', '');
    if (words !== null) search(words);
  }

  function reset() {
    zoom(frames[0]);
  }

  frames.forEach(function (frame) {
    frame.node.addEventListener('click', function () { zoom(frame); });
    frame.node.addEventListener('mouseover', function () { byId('details').textContent = frame.title; });
    frame.node.addEventListener('mouseout', function () { byId('details').textContent = ''; });
  });
  byId('reset').addEventListener('click', reset);
  byId('search').addEventListener('click', ask);
  window.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') { reset(); search(''); }
    if (event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey))) { event.preventDefault(); ask(); }
  });
  // A page that embeds the picture, and a test, can do the same.
  window.flameGraph = { zoom: function (place) { zoom(frames[place]); }, search: search, reset: reset };
})();
