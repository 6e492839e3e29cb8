//! `etwkit view`, asked by a plain client.

use serde_json::Value;

use crate::common::{Folder, fixture};
use crate::served::{page, serve};

/// What the page is told about the files.
fn listed(page: &str) -> Value {
    let list = page.split("id=\"served\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(list).unwrap()
}

#[test]
fn the_page_names_the_files_and_may_read_them() {
    let folder = Folder::with(&["hello.etl", "values.etl"]);
    folder.write("own.schema", b"# nothing");
    let served = serve(&folder, &["hello.etl", "values.etl", "own.schema"]);
    let answer = served.get(&served.root, &[]);
    let page = String::from_utf8(answer.body).unwrap();
    assert_eq!(answer.status, 200);
    assert!(page.contains("content=\"default-src 'none'; connect-src 'self'; script-src"), "{page}");
    let lens = ["hello.etl", "values.etl"].map(|name| fixture(name).len());
    let expected = serde_json::json!([
        {"name": "hello.etl", "len": lens[0]},
        {"name": "values.etl", "len": lens[1]},
        {"name": "own.schema", "len": 9},
    ]);
    assert_eq!(listed(&page), expected);
    for header in ["cache-control: no-store", "referrer-policy: no-referrer", "x-content-type-options: nosniff"] {
        assert!(answer.head.contains(header), "{header}: {}", answer.head);
    }
    assert!(answer.head.contains("content-security-policy: frame-ancestors 'none'"), "{}", answer.head);
}

#[test]
fn files_are_served_by_parts() {
    let folder = Folder::with(&["hello.etl"]);
    let served = serve(&folder, &["hello.etl"]);
    let whole = fixture("hello.etl");
    let file = format!("{}0", served.root);
    let all = served.get(&file, &[]);
    assert_eq!((all.status, all.body == whole), (200, true));
    let part = served.get(&file, &[("Range", "bytes=100-299")]);
    assert_eq!((part.status, part.body.as_slice()), (206, &whole[100..300]));
    assert!(part.head.contains(&format!("content-range: bytes 100-299/{}", whole.len())), "{}", part.head);
    assert!(part.head.contains("content-length: 200"), "{}", part.head);
    let end = served.get(&file, &[("Range", "bytes=-7")]);
    assert_eq!((end.status, end.body.as_slice()), (206, &whole[whole.len() - 7..]));
    let beyond = served.get(&file, &[("Range", &format!("bytes={}-", whole.len()))]);
    assert_eq!((beyond.status, beyond.body.len()), (416, 0));
    let head = served.ask("HEAD", &file, &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn nobody_else_is_answered() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("secret.txt", b"secret");
    let served = serve(&folder, &["hello.etl"]);
    let own = format!("http://{}", served.host);
    let port = served.host.split(':').nth(1).unwrap();
    let file = format!("{}0", served.root);
    assert_eq!(served.get(&file, &[("Origin", &own), ("Sec-Fetch-Site", "same-origin")]).status, 200);
    let local = format!("localhost:{port}");
    let foreign: [(&str, &str); 8] = [
        ("Host", "evil.example"),
        ("Host", &local),
        ("Host", "127.0.0.1"),
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "https://127.0.0.1"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ];
    for header in foreign {
        let answer = served.get(&file, &[header]);
        assert_eq!((answer.status, answer.body.len()), (403, 0), "{header:?}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(served.ask(method, &file, &[]).status, 405, "{method}");
    }
    let root = &served.root;
    let guess = format!("/{}/0", "0".repeat(root.len() - 2));
    let short = format!("{}/0", &root[..root.len() - 2]);
    let others =
        ["1", "00x", "-1", "+0", "secret.txt", "../secret.txt", "0/..", "%30", "0?", "99999999999999999999999"];
    let others = others.map(|name| format!("{root}{name}"));
    for path in ["/", "/0", "//0", "/secret.txt", "/../secret.txt", &guess, &short]
        .into_iter()
        .chain(others.iter().map(|path| &**path))
    {
        let answer = served.get(path, &[]);
        assert_eq!((answer.status, answer.body.len()), (404, 0), "{path}");
    }
}

#[test]
fn each_server_has_an_address_of_its_own() {
    let folder = Folder::with(&["hello.etl"]);
    let (one, other) = (serve(&folder, &["hello.etl"]), serve(&folder, &["hello.etl"]));
    assert!(one.root.len() == 34 && one.root != other.root && one.host != other.host);
    assert_eq!(one.get(&other.root, &[]).status, 404);
}

#[cfg(unix)]
#[test]
fn names_of_files_are_data() {
    let name = "<!--<script>\u{202e}\"&.etl";
    let folder = Folder::with(&[]);
    folder.write(name, &fixture("hello.etl"));
    let served = serve(&folder, &[name]);
    let page = String::from_utf8(served.get(&served.root, &[]).body).unwrap();
    assert_eq!(listed(&page)[0]["name"], name);
    assert!(!page.contains("<!--<"), "{page}");
}

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = Folder::with(&["hello.etl"]);
    folder.write("other.html", b"<html></html>");
    folder.write("page.html", page().as_bytes());
    let refused = |arguments: &[&str]| {
        let run = folder.run(&[&["view", "--no-open"], arguments].concat());
        assert_eq!((run.code, &*run.out), (2, ""), "{arguments:?}: {}", run.err);
        run.err
    };
    // The program of the tests has no page beside it.
    let missing = refused(&["hello.etl"]);
    assert!(missing.contains("cargo xtask web") && missing.contains("--page"), "{missing}");
    assert!(refused(&["hello.etl", "--page", "other.html"]).contains("not the viewer's page"));
    assert!(refused(&["hello.etl", "--page", "none.html"]).contains("none.html"));
    assert!(refused(&["-", "--page", "page.html"]).contains("stdin"));
    assert!(refused(&["missing.etl", "--page", "page.html"]).contains("no such file"));
}
