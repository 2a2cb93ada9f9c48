mod trees {
    use super::Name;
    ///A functional `Tree`: a handle that owns its node.
    #[derive(::pmem_runtime::Persistent)]
    #[repr(transparent)]
    pub struct Tree<'p> {
        #[persistent(rename = "node")]
        __node: ::core::option::Option<::pmem_runtime::P<'p, __TreeNode<'p>>>,
    }
    #[doc(hidden)]
    #[derive(::pmem_runtime::Persistent)]
    #[persistent(rename = "TreeNode")]
    #[repr(C)]
    struct __TreeNode<'p> {
        name: Name,
        children: Forest<'p>,
    }
    ///A [`Tree`] to look at, lent by [`Tree::view`].
    pub enum TreeView<'a, 'p> {
        ///`Leaf` of `Tree`.
        Leaf,
        ///`Node` of `Tree`.
        Node {
            ///The field `name` of `Tree`.
            name: &'a Name,
            ///The field `children` of `Tree`.
            children: &'a Forest<'p>,
        },
    }
    ///The fields of a [`Tree`], taken out by [`Tree::take`].
    pub enum TreeParts<'p> {
        ///`Leaf` of `Tree`.
        Leaf,
        ///`Node` of `Tree`.
        Node {
            ///The field `name` of `Tree`.
            name: Name,
            ///The field `children` of `Tree`.
            children: Forest<'p>,
        },
    }
    ///The fields of a [`Tree`] for writing, lent by [`Tree::make_mut`].
    pub enum TreeMut<'a, 'p> {
        ///`Leaf` of `Tree`.
        Leaf,
        ///`Node` of `Tree`.
        Node {
            ///The field `name` of `Tree`.
            name: &'a mut Name,
            ///The field `children` of `Tree`.
            children: &'a mut Forest<'p>,
        },
    }
    const _: () = {
        use ::pmem_runtime::__private as __pmem;
        impl<'p> Tree<'p> {
            ///`Leaf`, which needs no node.
            #[must_use]
            pub const fn leaf() -> Self {
                Tree { __node: __pmem::None }
            }
        }
        impl<'p> Tree<'p> {
            ///A new node with a `Node`.
            #[must_use]
            pub fn node(
                tx: &__pmem::Fase<'p>,
                name: Name,
                children: Forest<'p>,
            ) -> Self {
                let __node = __pmem::P::new(tx, __TreeNode { name, children });
                Tree {
                    __node: __pmem::Some(__node),
                }
            }
        }
        impl<'p> Tree<'p> {
            /// What it is, to `match` on: references to the fields.
            #[must_use]
            pub fn view(&self) -> TreeView<'_, 'p> {
                match &self.__node {
                    __pmem::None => TreeView::Leaf,
                    __pmem::Some(__node) => {
                        let __TreeNode { name, children } = &**__node;
                        TreeView::Node { name, children }
                    }
                }
            }
            /// Whether both are the same node, or the same variant without a node: equal without looking.
            #[must_use]
            pub fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
                match (&left.__node, &right.__node) {
                    (__pmem::Some(__left), __pmem::Some(__right)) => {
                        __pmem::P::ptr_eq(__left, __right)
                    }
                    (__pmem::None, __pmem::None) => true,
                    _ => false,
                }
            }
            ///Whether it is `Leaf`.
            #[must_use]
            pub fn is_leaf(&self) -> __pmem::bool {
                __pmem::matches!(self.view(), TreeView::Leaf { .. })
            }
            ///Whether it is `Node`.
            #[must_use]
            pub fn is_node(&self) -> __pmem::bool {
                __pmem::matches!(self.view(), TreeView::Node { .. })
            }
        }
        impl<'p> Tree<'p> {
            /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
            ///
            /// Complexity: O(size of the node).
            #[must_use]
            pub fn take(self, tx: &__pmem::Fase<'p>) -> TreeParts<'p> {
                match self.__node {
                    __pmem::None => TreeParts::Leaf,
                    __pmem::Some(__node) => {
                        let __TreeNode { name, children } = __pmem::P::take(__node, tx);
                        TreeParts::Node { name, children }
                    }
                }
            }
            /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
            /// takes the node's place. Other owners see the old one.
            ///
            /// Complexity: O(size of the node), the first time in a section.
            pub fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> TreeMut<'_, 'p> {
                match &mut self.__node {
                    __pmem::None => TreeMut::Leaf,
                    __pmem::Some(__node) => {
                        let __TreeNode { name, children } = __pmem::P::make_mut(
                            __node,
                            tx,
                        );
                        TreeMut::Node { name, children }
                    }
                }
            }
            /// A second owner of the same node: an old version that is kept costs only what later changes.
            ///
            /// Complexity: one count.
            #[must_use]
            pub fn share(&self, tx: &__pmem::Fase<'p>) -> Self {
                __pmem::Fase::share(tx, self)
            }
        }
        impl<'p> Tree<'p> {
            ///With the field `name` of `Tree` replaced; `Leaf`, which has no fields, stays what it is.
            ///
            /// Complexity: O(size of the node), the first time in a section.
            #[must_use]
            pub fn with_name(mut self, tx: &__pmem::Fase<'p>, name: Name) -> Self {
                match &mut self.__node {
                    __pmem::None => {}
                    __pmem::Some(__node) => {
                        let __TreeNode { name: __place, .. } = __pmem::P::make_mut(
                            __node,
                            tx,
                        );
                        *__place = name;
                    }
                };
                self
            }
            ///With the field `children` of `Tree` replaced; `Leaf`, which has no fields, stays what it is.
            ///
            /// Complexity: O(size of the node), the first time in a section.
            #[must_use]
            pub fn with_children(
                mut self,
                tx: &__pmem::Fase<'p>,
                children: Forest<'p>,
            ) -> Self {
                match &mut self.__node {
                    __pmem::None => {}
                    __pmem::Some(__node) => {
                        let __TreeNode { children: __place, .. } = __pmem::P::make_mut(
                            __node,
                            tx,
                        );
                        *__place = children;
                    }
                };
                self
            }
        }
        #[automatically_derived]
        impl<'a, 'p> __pmem::Clone for TreeView<'a, 'p> {
            fn clone(&self) -> Self {
                *self
            }
        }
        #[automatically_derived]
        impl<'a, 'p> __pmem::Copy for TreeView<'a, 'p> {}
        impl<'p> TreeParts<'p> {
            /// Puts the parts together, in a new node if they need one.
            #[must_use]
            pub fn build(self, tx: &__pmem::Fase<'p>) -> Tree<'p> {
                match self {
                    TreeParts::Leaf => Tree::leaf(),
                    TreeParts::Node { name, children } => Tree::node(tx, name, children),
                }
            }
        }
        impl<'a, 'p> TreeView<'a, 'p> {
            const fn __index(self) -> __pmem::isize {
                match self {
                    TreeView::Leaf { .. } => 0,
                    TreeView::Node { .. } => 1,
                }
            }
        }
        const _: () = {
            enum __Todo<'__a, 'p> {
                Tree(&'__a Tree<'p>, &'__a Tree<'p>, __pmem::u8),
                Forest(&'__a Forest<'p>, &'__a Forest<'p>, __pmem::u8),
            }
            impl<'__a, 'p, __O> __pmem::Walk<'__a, __O> for Tree<'p>
            where
                __O: __pmem::Comparison,
                __O: __pmem::Compare<Name>,
            {
                fn walk(
                    __left: &'__a Self,
                    __right: &'__a Self,
                ) -> __pmem::Result<(), __pmem::Unequal> {
                    let mut __todo = __pmem::Vec::new();
                    let mut __next = __Todo::Tree(__left, __right, 0);
                    loop {
                        match __next {
                            __Todo::Tree(__left, __right, __at) => {
                                let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                    && Tree::ptr_eq(__left, __right);
                                if !__is_same {
                                    match (__at, __left.view(), __right.view()) {
                                        (_, TreeView::Leaf, TreeView::Leaf) => {}
                                        (
                                            _,
                                            TreeView::Node {
                                                name: __left_name,
                                                children: __left_children,
                                                ..
                                            },
                                            TreeView::Node {
                                                name: __right_name,
                                                children: __right_children,
                                                ..
                                            },
                                        ) => {
                                            <__O as __pmem::Compare<
                                                Name,
                                            >>::compare(__left_name, __right_name)?;
                                            __todo
                                                .push(__Todo::Forest(__left_children, __right_children, 0));
                                        }
                                        (_, __left, __right) => {
                                            __pmem::in_order(__left.__index(), __right.__index())?
                                        }
                                    }
                                }
                            }
                            __Todo::Forest(__left, __right, __at) => {
                                let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                    && Forest::ptr_eq(__left, __right);
                                if !__is_same {
                                    match (__at, __left.view(), __right.view()) {
                                        (
                                            0,
                                            ForestView { first: __left_first, .. },
                                            ForestView { first: __right_first, .. },
                                        ) => {
                                            __todo.push(__Todo::Forest(__left, __right, 1));
                                            __todo.push(__Todo::Tree(__left_first, __right_first, 0));
                                        }
                                        (
                                            _,
                                            ForestView { rest: __left_rest, .. },
                                            ForestView { rest: __right_rest, .. },
                                        ) => {
                                            match (__left_rest, __right_rest) {
                                                (__pmem::Some(__left), __pmem::Some(__right)) => {
                                                    __todo.push(__Todo::Forest(__left, __right, 0));
                                                }
                                                (__left, __right) => {
                                                    __pmem::in_order(
                                                        __left.is_some() as __pmem::isize,
                                                        __right.is_some() as __pmem::isize,
                                                    )?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                        __next = match __todo.pop() {
                            __pmem::Some(__step) => __step,
                            __pmem::None => return __pmem::Ok(()),
                        };
                    }
                }
            }
        };
        #[automatically_derived]
        impl<'p> __pmem::PartialEq for Tree<'p> {
            fn eq(&self, __other: &Self) -> __pmem::bool {
                <Self as __pmem::Walk<'_, __pmem::ByEq<false>>>::walk(self, __other)
                    .is_ok()
            }
        }
    };
    ///A functional `Forest`: a handle that owns its node.
    #[derive(::pmem_runtime::Persistent)]
    #[repr(transparent)]
    pub struct Forest<'p> {
        #[persistent(rename = "node")]
        __node: ::pmem_runtime::P<'p, __ForestNode<'p>>,
    }
    #[doc(hidden)]
    #[derive(::pmem_runtime::Persistent)]
    #[persistent(rename = "ForestNode")]
    #[repr(C)]
    struct __ForestNode<'p> {
        first: Tree<'p>,
        rest: Option<Forest<'p>>,
    }
    ///A [`Forest`] to look at, lent by [`Forest::view`].
    pub struct ForestView<'a, 'p> {
        ///The field `first` of `Forest`.
        pub first: &'a Tree<'p>,
        ///The field `rest` of `Forest`.
        pub rest: &'a Option<Forest<'p>>,
    }
    ///The fields of a [`Forest`], taken out by [`Forest::take`].
    pub struct ForestParts<'p> {
        ///The field `first` of `Forest`.
        pub first: Tree<'p>,
        ///The field `rest` of `Forest`.
        pub rest: Option<Forest<'p>>,
    }
    ///The fields of a [`Forest`] for writing, lent by [`Forest::make_mut`].
    pub struct ForestMut<'a, 'p> {
        ///The field `first` of `Forest`.
        pub first: &'a mut Tree<'p>,
        ///The field `rest` of `Forest`.
        pub rest: &'a mut Option<Forest<'p>>,
    }
    const _: () = {
        use ::pmem_runtime::__private as __pmem;
        impl<'p> Forest<'p> {
            ///A new node with a `Forest`.
            #[must_use]
            pub fn new(
                tx: &__pmem::Fase<'p>,
                first: Tree<'p>,
                rest: Option<Forest<'p>>,
            ) -> Self {
                let __node = __pmem::P::new(tx, __ForestNode { first, rest });
                Forest { __node: __node }
            }
        }
        impl<'p> Forest<'p> {
            /// What it is, to `match` on: references to the fields.
            #[must_use]
            pub fn view(&self) -> ForestView<'_, 'p> {
                let __node = &self.__node;
                {
                    let __ForestNode { first, rest } = &**__node;
                    ForestView { first, rest }
                }
            }
            /// Whether both are the same node, or the same variant without a node: equal without looking.
            #[must_use]
            pub fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
                __pmem::P::ptr_eq(&left.__node, &right.__node)
            }
        }
        impl<'p> Forest<'p> {
            /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
            ///
            /// Complexity: O(size of the node).
            #[must_use]
            pub fn take(self, tx: &__pmem::Fase<'p>) -> ForestParts<'p> {
                let __node = self.__node;
                {
                    let __ForestNode { first, rest } = __pmem::P::take(__node, tx);
                    ForestParts { first, rest }
                }
            }
            /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
            /// takes the node's place. Other owners see the old one.
            ///
            /// Complexity: O(size of the node), the first time in a section.
            pub fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> ForestMut<'_, 'p> {
                let __node = &mut self.__node;
                {
                    let __ForestNode { first, rest } = __pmem::P::make_mut(__node, tx);
                    ForestMut { first, rest }
                }
            }
            /// A second owner of the same node: an old version that is kept costs only what later changes.
            ///
            /// Complexity: one count.
            #[must_use]
            pub fn share(&self, tx: &__pmem::Fase<'p>) -> Self {
                __pmem::Fase::share(tx, self)
            }
        }
        impl<'p> Forest<'p> {
            ///The field `first` of `Forest`.
            #[must_use]
            pub fn first(&self) -> &Tree<'p> {
                {
                    let __ForestNode { first, .. } = &*self.__node;
                    first
                }
            }
            ///The field `rest` of `Forest`.
            #[must_use]
            pub fn rest(&self) -> &Option<Forest<'p>> {
                {
                    let __ForestNode { rest, .. } = &*self.__node;
                    rest
                }
            }
        }
        impl<'p> Forest<'p> {
            ///With the field `first` of `Forest` replaced.
            ///
            /// Complexity: O(size of the node), the first time in a section.
            #[must_use]
            pub fn with_first(mut self, tx: &__pmem::Fase<'p>, first: Tree<'p>) -> Self {
                let __node = &mut self.__node;
                {
                    let __ForestNode { first: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = first;
                };
                self
            }
            ///With the field `rest` of `Forest` replaced.
            ///
            /// Complexity: O(size of the node), the first time in a section.
            #[must_use]
            pub fn with_rest(
                mut self,
                tx: &__pmem::Fase<'p>,
                rest: Option<Forest<'p>>,
            ) -> Self {
                let __node = &mut self.__node;
                {
                    let __ForestNode { rest: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = rest;
                };
                self
            }
        }
        #[automatically_derived]
        impl<'a, 'p> __pmem::Clone for ForestView<'a, 'p> {
            fn clone(&self) -> Self {
                *self
            }
        }
        #[automatically_derived]
        impl<'a, 'p> __pmem::Copy for ForestView<'a, 'p> {}
        impl<'p> ForestParts<'p> {
            /// Puts the parts together, in a new node if they need one.
            #[must_use]
            pub fn build(self, tx: &__pmem::Fase<'p>) -> Forest<'p> {
                match self {
                    ForestParts { first, rest } => Forest::new(tx, first, rest),
                }
            }
        }
        const _: () = {
            enum __Todo<'__a, 'p> {
                Forest(&'__a Forest<'p>, &'__a Forest<'p>, __pmem::u8),
                Tree(&'__a Tree<'p>, &'__a Tree<'p>, __pmem::u8),
            }
            impl<'__a, 'p, __O> __pmem::Walk<'__a, __O> for Forest<'p>
            where
                __O: __pmem::Comparison,
                __O: __pmem::Compare<Name>,
            {
                fn walk(
                    __left: &'__a Self,
                    __right: &'__a Self,
                ) -> __pmem::Result<(), __pmem::Unequal> {
                    let mut __todo = __pmem::Vec::new();
                    let mut __next = __Todo::Forest(__left, __right, 0);
                    loop {
                        match __next {
                            __Todo::Forest(__left, __right, __at) => {
                                let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                    && Forest::ptr_eq(__left, __right);
                                if !__is_same {
                                    match (__at, __left.view(), __right.view()) {
                                        (
                                            0,
                                            ForestView { first: __left_first, .. },
                                            ForestView { first: __right_first, .. },
                                        ) => {
                                            __todo.push(__Todo::Forest(__left, __right, 1));
                                            __todo.push(__Todo::Tree(__left_first, __right_first, 0));
                                        }
                                        (
                                            _,
                                            ForestView { rest: __left_rest, .. },
                                            ForestView { rest: __right_rest, .. },
                                        ) => {
                                            match (__left_rest, __right_rest) {
                                                (__pmem::Some(__left), __pmem::Some(__right)) => {
                                                    __todo.push(__Todo::Forest(__left, __right, 0));
                                                }
                                                (__left, __right) => {
                                                    __pmem::in_order(
                                                        __left.is_some() as __pmem::isize,
                                                        __right.is_some() as __pmem::isize,
                                                    )?;
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                            __Todo::Tree(__left, __right, __at) => {
                                let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                    && Tree::ptr_eq(__left, __right);
                                if !__is_same {
                                    match (__at, __left.view(), __right.view()) {
                                        (_, TreeView::Leaf, TreeView::Leaf) => {}
                                        (
                                            _,
                                            TreeView::Node {
                                                name: __left_name,
                                                children: __left_children,
                                                ..
                                            },
                                            TreeView::Node {
                                                name: __right_name,
                                                children: __right_children,
                                                ..
                                            },
                                        ) => {
                                            <__O as __pmem::Compare<
                                                Name,
                                            >>::compare(__left_name, __right_name)?;
                                            __todo
                                                .push(__Todo::Forest(__left_children, __right_children, 0));
                                        }
                                        (_, __left, __right) => {
                                            __pmem::in_order(__left.__index(), __right.__index())?
                                        }
                                    }
                                }
                            }
                        }
                        __next = match __todo.pop() {
                            __pmem::Some(__step) => __step,
                            __pmem::None => return __pmem::Ok(()),
                        };
                    }
                }
            }
        };
        #[automatically_derived]
        impl<'p> __pmem::PartialEq for Forest<'p> {
            fn eq(&self, __other: &Self) -> __pmem::bool {
                <Self as __pmem::Walk<'_, __pmem::ByEq<false>>>::walk(self, __other)
                    .is_ok()
            }
        }
    };
}
