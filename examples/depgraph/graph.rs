//! The graph as it lies in the pool: names, packages, and one version of the whole for each list that was imported.

use pmem_runtime::{Fase, Map, Persistent, Pool, Queue, Text, Vector};

/// What the pool holds.
#[derive(Persistent, Default)]
#[repr(C)]
pub struct Archive<'p> {
    pub names: Names<'p>,
    /// Oldest first. The last may be half imported.
    pub versions: Vector<'p, Version<'p>>,
    /// The search that `why` is in the middle of.
    pub search: Search<'p>,
}

pub type ArchivePool = Pool<Archive<'static>>;

/// A package's number: the same in all versions.
pub type Id = u32;

/// Every name that occurs in any version, and its number.
#[derive(Persistent, Default)]
#[repr(C)]
pub struct Names<'p> {
    texts: Vector<'p, Text<'p>>,
    ids: Map<'p, Text<'p>, Id>,
}

impl<'p> Names<'p> {
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn id(&self, name: &str) -> Option<Id> {
        self.ids.get(name).copied()
    }

    /// # Panics
    /// If the number was not given out.
    pub fn name(&self, id: Id) -> &Text<'p> {
        &self.texts[id as usize]
    }

    /// The name's number, a new one if it is new.
    fn intern(&mut self, tx: &Fase<'p>, name: &str) -> Id {
        if let Some(id) = self.id(name) {
            return id;
        }
        let id = Id::try_from(self.texts.len()).expect("a distribution has fewer than 2^32 packages");
        self.texts.push_back(tx, Text::from_str(tx, name));
        self.ids.insert(tx, Text::from_str(tx, name), id);
        id
    }
}

/// The graph that one list describes. Versions share the packages in which they do not differ.
#[derive(Persistent, Default)]
#[repr(C)]
pub struct Version<'p> {
    /// What the user calls it.
    pub label: Text<'p>,
    /// The list's fingerprint.
    pub fingerprint: u64,
    /// Rows of the list, and how many of them have been imported.
    pub rows: u32,
    pub rows_done: u32,
    pub packages: Map<'p, Id, Package<'p>>,
}

impl Version<'_> {
    pub fn is_complete(&self) -> bool {
        self.rows == self.rows_done
    }

    pub fn edges(&self) -> u64 {
        self.packages.values().map(|package| package.depends.len() as u64).sum()
    }
}

/// One package of one version.
#[derive(Persistent, PartialEq)]
#[repr(C)]
pub struct Package<'p> {
    pub version: Text<'p>,
    pub section: Section,
    pub priority: Priority,
    pub installed_kib: u32,
    pub depends: Vector<'p, Id>,
}

/// A breadth-first search under way: it is in the pool, so it survives a crash like everything else.
#[derive(Persistent, Default)]
#[repr(C)]
pub struct Search<'p> {
    /// Reached, and not yet looked at.
    pub waiting: Queue<'p, Id>,
    /// Reached, and from where.
    pub reached_from: Map<'p, Id, Id>,
}

impl<'p> Archive<'p> {
    /// The newest version that is complete.
    pub fn newest(&self) -> Option<&Version<'p>> {
        self.versions.iter().rev().find(|version| version.is_complete())
    }

    /// The complete version with this label.
    pub fn labelled(&self, label: &str) -> Option<&Version<'p>> {
        self.versions.iter().rev().find(|version| version.is_complete() && version.label == *label)
    }
}

/// A row's package, with its names as numbers.
pub fn make_package<'p>(
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
        version: Text::from_str(tx, row.version),
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
        pub enum $name { $($variant,)* $other }

        impl $name {
            pub fn named(word: &str) -> Self {
                match word { $($word => $name::$variant,)* _ => $name::$other }
            }

            pub fn word(self) -> &'static str {
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
