//! No file uses a file that uses it, by whatever way round.

use crate::modules::Modules;
use crate::paths::named_by;
use crate::sources::root;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::path::{Path, PathBuf};

#[test]
fn no_files_use_each_other() {
    let mut circles = Vec::new();
    let mut arrows = 0;
    for crate_root in crate_roots() {
        let modules = Modules::of(&crate_root);
        let graph = graph_of(&modules);
        arrows += graph.edge_count();
        circles.extend(circles_of(&graph));
    }
    assert!(arrows > 1_000, "only {arrows} arrows found");
    assert!(circles.is_empty(), "{} circles of files: {circles:#?}", circles.len());
}

/// The files of a crate, and which uses which.
fn graph_of(modules: &Modules) -> DiGraph<PathBuf, ()> {
    let mut graph = DiGraph::new();
    for file in &modules.files {
        graph.add_node(file.strip_prefix(root()).unwrap().to_owned());
    }
    for (path, module) in &modules.by_path {
        let used = named_by(&module.items).into_iter().chain(module.imports.private.iter().cloned());
        for target in used.filter_map(|used| modules.definition(path, &used)) {
            if target != module.file {
                graph.update_edge(NodeIndex::new(module.file), NodeIndex::new(target), ());
            }
        }
    }
    graph
}

/// Each circle with its arrows.
fn circles_of(graph: &DiGraph<PathBuf, ()>) -> Vec<Vec<String>> {
    let together = tarjan_scc(graph).into_iter().filter(|files| files.len() > 1);
    together
        .map(|files| {
            let arrow = |from: NodeIndex| {
                let files = &files;
                graph
                    .neighbors(from)
                    .filter(move |to| files.contains(to))
                    .map(move |to| format!("{} -> {}", graph[from].display(), graph[to].display()))
            };
            files.iter().flat_map(|&from| arrow(from)).collect()
        })
        .collect()
}

/// The root file of every crate of the workspace, of its tests and examples too.
fn crate_roots() -> Vec<PathBuf> {
    let mut roots = Vec::new();
    for folder in crate_folders(&root()) {
        let named = ["src/lib.rs", "src/main.rs"].into_iter().map(|file| folder.join(file));
        roots.extend(named.filter(|file| file.is_file()));
        for entry in std::fs::read_dir(folder.join("tests")).into_iter().flatten() {
            let path = entry.unwrap().path();
            let main = if path.is_dir() { path.join("main.rs") } else { path };
            if main.extension().is_some_and(|extension| extension == "rs") && main.is_file() {
                roots.push(main);
            }
        }
    }
    assert!(roots.len() > 25, "only {} crates found", roots.len());
    roots
}

fn crate_folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.join("Cargo.toml").is_file() {
        found.push(folder.to_owned());
    }
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(crate_folders(&path));
        }
    }
    found
}
