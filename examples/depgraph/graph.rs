//! The graph as it lies in the pool: names, packages, and one version of the whole for each list that was imported.

use pmem_runtime::{Fase, Map, Persistent, Pool, Queue, Text, Vector};

/// What the pool holds.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Archive<'p> {
    pub(crate) names: Names<'p>,
    /// Oldest first. The last may be half imported.
    pub(crate) versions: Vector<'p, Version<'p>>,
    /// The search that `why` is in the middle of.
    pub(crate) search: Search<'p>,
}

pub(crate) type ArchivePool = Pool<Archive<'static>>;

/// A package's number: the same in all versions.
pub(crate) type Id = u32;

/// Every name that occurs in any version, and its number.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Names<'p> {
    texts: Vector<'p, Text<'p>>,
    ids: Map<'p, Text<'p>, Id>,
}

impl<'p> Names<'p> {
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn id(&self, name: &str) -> Option<Id> {
        self.ids.get(name).copied()
    }

    /// # Panics
    /// If the number was not given out.
    pub(crate) fn name(&self, id: Id) -> &Text<'p> {
        &self.texts[id as usize]
    }

    /// The name's number, a new one if it is new.
    fn intern(&mut self, tx: &Fase<'p>, name: &str) -> Id {
        if let Some(id) = self.id(name) {
            return id;
        }
        let id = Id::try_from(self.texts.len()).expect("a distribution has fewer than 2^32 packages");
        self.texts.push_back(tx, Text::of(tx, name));
        self.ids.insert(tx, Text::of(tx, name), id);
        id
    }
}

/// The graph that one list describes. Versions share the packages in which they do not differ.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Version<'p> {
    /// What the user calls it.
    pub(crate) label: Text<'p>,
    /// The list's fingerprint.
    pub(crate) fingerprint: u64,
    /// Rows of the list, and how many of them have been imported.
    pub(crate) rows: u32,
    pub(crate) rows_done: u32,
    pub(crate) packages: Map<'p, Id, Package<'p>>,
}

impl Version<'_> {
    pub(crate) fn is_complete(&self) -> bool {
        self.rows == self.rows_done
    }

    pub(crate) fn edges(&self) -> u64 {
        self.packages.values().map(|package| package.depends.len() as u64).sum()
    }
}

/// One package of one version.
#[derive(Persistent, PartialEq)]
#[repr(C)]
pub(crate) struct Package<'p> {
    pub(crate) version: Text<'p>,
    pub(crate) section: Section,
    pub(crate) priority: Priority,
    pub(crate) installed_kib: u32,
    pub(crate) depends: Vector<'p, Id>,
}

/// A breadth-first search under way: it is in the pool, so it survives a crash like everything else.
#[derive(Persistent, Default)]
#[repr(C)]
pub(crate) struct Search<'p> {
    /// Reached, and not yet looked at.
    pub(crate) waiting: Queue<'p, Id>,
    /// Reached, and from where.
    pub(crate) reached_from: Map<'p, Id, Id>,
}

impl<'p> Archive<'p> {
    /// The newest version that is complete.
    pub(crate) fn newest(&self) -> Option<&Version<'p>> {
        self.versions.iter().rev().find(|version| version.is_complete())
    }

    /// The complete version with this label.
    pub(crate) fn labelled(&self, label: &str) -> Option<&Version<'p>> {
        self.versions.iter().rev().find(|version| version.is_complete() && version.label == *label)
    }
}

/// A row's package, with its names as numbers.
pub(crate) fn make_package<'p>(
    tx: &Fase<'p>,
    names: &mut Names<'p>,
    row: &super::list::Row<'_>,
) -> (Id, Package<'p>) {
    let id = names.intern(tx, row.name);
    let mut depends = Vector::new();
    for name in &row.depends {
        depends.push_back(tx, names.intern(tx, name));
    }
    let package = Package {
        version: Text::of(tx, row.version),
        section: Section::named(row.section),
        priority: Priority::named(row.priority),
        installed_kib: row.installed_kib,
        depends,
    };
    (id, package)
}

/// Declares an enum of words, and the way from and to them.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($word:literal => $variant:ident,)* _ => $other:ident }) => {
        $(#[$doc])*
        #[derive(Persistent, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub(crate) enum $name { $($variant,)* $other }

        impl $name {
            pub(crate) fn named(word: &str) -> Self {
                match word { $($word => $name::$variant,)* _ => $name::$other }
            }

            pub(crate) fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* $name::$other => "other" }
            }
        }
    };
}

words! {
    /// What a package is for.
    Section {
        "admin" => Admin, "cli-mono" => CliMono, "comm" => Comm, "database" => Database, "debug" => Debug, "devel" => Devel,
        "doc" => Doc, "editors" => Editors, "education" => Education, "electronics" => Electronics,
        "embedded" => Embedded, "fonts" => Fonts, "games" => Games, "gnome" => Gnome, "gnu-r" => GnuR,
        "gnustep" => Gnustep, "golang" => Golang, "graphics" => Graphics, "hamradio" => Hamradio,
        "haskell" => Haskell, "httpd" => Httpd, "interpreters" => Interpreters, "introspection" => Introspection,
        "java" => Java, "javascript" => Javascript, "kde" => Kde, "kernel" => Kernel, "libdevel" => Libdevel,
        "libs" => Libs, "lisp" => Lisp, "localization" => Localization, "mail" => Mail, "math" => Math,
        "metapackages" => Metapackages, "misc" => Misc, "net" => Net, "news" => News, "ocaml" => Ocaml,
        "oldlibs" => Oldlibs, "otherosfs" => Otherosfs, "perl" => Perl, "php" => Php, "python" => Python,
        "ruby" => Ruby, "rust" => Rust, "science" => Science, "shells" => Shells, "sound" => Sound, "tasks" => Tasks,
        "tex" => Tex, "text" => Text, "utils" => Utils, "vcs" => Vcs, "video" => Video, "web" => Web, "x11" => X11,
        "xfce" => Xfce, "zope" => Zope,
        _ => Other
    }
}

words! {
    /// How much a system needs a package.
    Priority {
        "required" => Required, "important" => Important, "standard" => Standard, "optional" => Optional,
        "extra" => Extra,
        _ => Other
    }
}
