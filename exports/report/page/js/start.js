"use strict";
// The data of the page. Everything in it that comes from a trace reaches the document as text alone.
const DATA = JSON.parse(document.getElementById("data").textContent);
