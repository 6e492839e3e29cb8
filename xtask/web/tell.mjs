// Counts what agreed, and says what did not.
export class Tell {
  constructor() {
    Object.assign(this, { about: "", agreed: 0, wrong: 0 });
  }

  begin(about) {
    this.about = about;
  }

  same(what, found, expected, more = "") {
    if (found === expected) {
      this.agreed += 1;
    } else {
      this.wrong += 1;
      console.log(`${this.about}: ${what}: found ${found}, expected ${expected} ${more ?? ""}`);
    }
  }

  // A page wrote no error into its console, and asked for nothing but itself and what it made itself.
  quiet(page, ...own) {
    const others = page.requests.filter(url => !own.includes(url) && !url.startsWith("blob:"));
    this.same("requests", others.length, 0, others.join(" "));
    this.same("errors of the console", page.errors.length, 0, page.errors.join(" "));
  }

  note(text) {
    console.log(text);
  }
}
