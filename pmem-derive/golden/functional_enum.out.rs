/// A search tree.
#[derive(::pmem_runtime::Persistent)]
#[repr(transparent)]
pub struct Tree<'p, K, V> {
    #[persistent(rename = "node")]
    __node: ::core::option::Option<::pmem_runtime::P<'p, __TreeNode<'p, K, V>>>,
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "TreeNode")]
#[repr(C)]
struct __TreeNode<'p, K, V> {
    left: Tree<'p, K, V>,
    key: K,
    value: V,
    right: Tree<'p, K, V>,
}
/// A [`Tree`] to look at, lent by [`Tree::view`].
pub enum TreeView<'a, 'p, K, V> {
    /// Nothing.
    Leaf,
    /// A key between smaller and larger ones.
    Node {
        /// The field `left` of `Tree`.
        left: &'a Tree<'p, K, V>,
        /// The field `key` of `Tree`.
        key: &'a K,
        /// The field `value` of `Tree`.
        value: &'a V,
        /// The field `right` of `Tree`.
        right: &'a Tree<'p, K, V>,
    },
}
/// The fields of a [`Tree`], taken out by [`Tree::take`].
pub enum TreeParts<'p, K, V> {
    /// Nothing.
    Leaf,
    /// A key between smaller and larger ones.
    Node {
        /// The field `left` of `Tree`.
        left: Tree<'p, K, V>,
        /// The field `key` of `Tree`.
        key: K,
        /// The field `value` of `Tree`.
        value: V,
        /// The field `right` of `Tree`.
        right: Tree<'p, K, V>,
    },
}
/// The fields of a [`Tree`] for writing, lent by [`Tree::make_mut`].
pub enum TreeMut<'a, 'p, K, V> {
    /// Nothing.
    Leaf,
    /// A key between smaller and larger ones.
    Node {
        /// The field `left` of `Tree`.
        left: &'a mut Tree<'p, K, V>,
        /// The field `key` of `Tree`.
        key: &'a mut K,
        /// The field `value` of `Tree`.
        value: &'a mut V,
        /// The field `right` of `Tree`.
        right: &'a mut Tree<'p, K, V>,
    },
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    impl<'p, K, V> Tree<'p, K, V> {
        /// `Leaf`, which needs no node.
        ///
        /// Nothing.
        #[must_use]
        pub const fn leaf() -> Self {
            Tree { __node: __pmem::None }
        }
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        pub fn view(&self) -> TreeView<'_, 'p, K, V> {
            match &self.__node {
                __pmem::None => TreeView::Leaf,
                __pmem::Some(__node) => {
                    let __TreeNode { left, key, value, right } = &**__node;
                    TreeView::Node {
                        left,
                        key,
                        value,
                        right,
                    }
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
        /// Whether it is `Leaf`.
        #[must_use]
        pub fn is_leaf(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), TreeView::Leaf { .. })
        }
        /// Whether it is `Node`.
        #[must_use]
        pub fn is_node(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), TreeView::Node { .. })
        }
    }
    impl<'p, K, V> Tree<'p, K, V>
    where
        K: __pmem::Persistent<At<'p> = K>,
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// A new node: `Node`.
        ///
        /// A key between smaller and larger ones.
        #[must_use]
        pub fn node(
            tx: &__pmem::Fase<'p>,
            left: Tree<'p, K, V>,
            key: K,
            value: V,
            right: Tree<'p, K, V>,
        ) -> Self {
            let __node = __pmem::P::new(
                tx,
                __TreeNode {
                    left,
                    key,
                    value,
                    right,
                },
            );
            Tree {
                __node: __pmem::Some(__node),
            }
        }
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        pub fn take(self, tx: &__pmem::Fase<'p>) -> TreeParts<'p, K, V> {
            match self.__node {
                __pmem::None => TreeParts::Leaf,
                __pmem::Some(__node) => {
                    let __TreeNode { left, key, value, right } = __pmem::P::take(
                        __node,
                        tx,
                    );
                    TreeParts::Node {
                        left,
                        key,
                        value,
                        right,
                    }
                }
            }
        }
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        pub fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> TreeMut<'_, 'p, K, V> {
            match &mut self.__node {
                __pmem::None => TreeMut::Leaf,
                __pmem::Some(__node) => {
                    let __TreeNode { left, key, value, right } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    TreeMut::Node {
                        left,
                        key,
                        value,
                        right,
                    }
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
        /// With the field `left` of `Tree` replaced; `Leaf`, which has no fields, stays what it is.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        pub fn with_left(mut self, tx: &__pmem::Fase<'p>, left: Tree<'p, K, V>) -> Self {
            match &mut self.__node {
                __pmem::None => {}
                __pmem::Some(__node) => {
                    let __TreeNode { left: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = left;
                }
            };
            self
        }
        /// With the field `key` of `Tree` replaced; `Leaf`, which has no fields, stays what it is.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        pub fn with_key(mut self, tx: &__pmem::Fase<'p>, key: K) -> Self {
            match &mut self.__node {
                __pmem::None => {}
                __pmem::Some(__node) => {
                    let __TreeNode { key: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = key;
                }
            };
            self
        }
        /// With the field `value` of `Tree` replaced; `Leaf`, which has no fields, stays what it is.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        pub fn with_value(mut self, tx: &__pmem::Fase<'p>, value: V) -> Self {
            match &mut self.__node {
                __pmem::None => {}
                __pmem::Some(__node) => {
                    let __TreeNode { value: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = value;
                }
            };
            self
        }
        /// With the field `right` of `Tree` replaced; `Leaf`, which has no fields, stays what it is.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        pub fn with_right(
            mut self,
            tx: &__pmem::Fase<'p>,
            right: Tree<'p, K, V>,
        ) -> Self {
            match &mut self.__node {
                __pmem::None => {}
                __pmem::Some(__node) => {
                    let __TreeNode { right: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = right;
                }
            };
            self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Clone for TreeView<'a, 'p, K, V> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Copy for TreeView<'a, 'p, K, V> {}
    impl<'p, K, V> TreeParts<'p, K, V>
    where
        K: __pmem::Persistent<At<'p> = K>,
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// Puts the parts together, in a new node if they need one.
        #[must_use]
        pub fn build(self, tx: &__pmem::Fase<'p>) -> Tree<'p, K, V> {
            match self {
                TreeParts::Leaf => Tree::leaf(),
                TreeParts::Node { left, key, value, right } => {
                    Tree::node(tx, left, key, value, right)
                }
            }
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Default for Tree<'p, K, V> {
        fn default() -> Self {
            Tree::leaf()
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Debug for Tree<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            __pmem::debug_within(
                __f,
                |__f| match self.view() {
                    TreeView::Leaf {} => __pmem::Formatter::write_str(__f, "Leaf"),
                    TreeView::Node { left, key, value, right } => {
                        __pmem::Formatter::debug_struct(__f, "Node")
                            .field("left", left)
                            .field("key", key)
                            .field("value", value)
                            .field("right", right)
                            .finish()
                    }
                },
            )
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Debug for TreeView<'a, 'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                TreeView::Leaf {} => __pmem::Formatter::write_str(__f, "Leaf"),
                TreeView::Node { left, key, value, right } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("left", left)
                        .field("key", key)
                        .field("value", value)
                        .field("right", right)
                        .finish()
                }
            }
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Debug for TreeParts<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                TreeParts::Leaf {} => __pmem::Formatter::write_str(__f, "Leaf"),
                TreeParts::Node { left, key, value, right } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("left", left)
                        .field("key", key)
                        .field("value", value)
                        .field("right", right)
                        .finish()
                }
            }
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Debug for TreeMut<'a, 'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                TreeMut::Leaf {} => __pmem::Formatter::write_str(__f, "Leaf"),
                TreeMut::Node { left, key, value, right } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("left", left)
                        .field("key", key)
                        .field("value", value)
                        .field("right", right)
                        .finish()
                }
            }
        }
    }
    impl<'a, 'p, K, V> TreeView<'a, 'p, K, V> {
        const fn __index(self) -> __pmem::isize {
            match self {
                TreeView::Leaf { .. } => 0,
                TreeView::Node { .. } => 1,
            }
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, K, V> {
            Tree(&'__a Tree<'p, K, V>, &'__a Tree<'p, K, V>, __pmem::u8),
        }
        impl<'__a, 'p, K, V, __O> __pmem::Walk<'__a, __O> for Tree<'p, K, V>
        where
            __O: __pmem::Comparison,
            __O: __pmem::Compare<K>,
            __O: __pmem::Compare<V>,
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
                                        0,
                                        TreeView::Node { left: __left_left, .. },
                                        TreeView::Node { left: __right_left, .. },
                                    ) => {
                                        __todo.push(__Todo::Tree(__left, __right, 1));
                                        __todo.push(__Todo::Tree(__left_left, __right_left, 0));
                                    }
                                    (
                                        _,
                                        TreeView::Node {
                                            key: __left_key,
                                            value: __left_value,
                                            right: __left_right,
                                            ..
                                        },
                                        TreeView::Node {
                                            key: __right_key,
                                            value: __right_value,
                                            right: __right_right,
                                            ..
                                        },
                                    ) => {
                                        <__O as __pmem::Compare<
                                            K,
                                        >>::compare(__left_key, __right_key)?;
                                        <__O as __pmem::Compare<
                                            V,
                                        >>::compare(__left_value, __right_value)?;
                                        __todo.push(__Todo::Tree(__left_right, __right_right, 0));
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
    impl<'p, K, V> __pmem::PartialEq for Tree<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::PartialEq,
        V: __pmem::Persistent + __pmem::PartialEq,
    {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            <Self as __pmem::Walk<'_, __pmem::ByEq<true>>>::walk(self, __other).is_ok()
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Eq for Tree<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Eq,
        V: __pmem::Persistent + __pmem::Eq,
    {}
    /// The fields are `Eq`: a node is equal to itself.
    fn __fields_are_eq<'p, K, V>()
    where
        K: __pmem::Persistent + __pmem::Eq,
        V: __pmem::Persistent + __pmem::Eq,
    {
        let _: __pmem::AssertEq<Tree<'p, K, V>>;
        let _: __pmem::AssertEq<K>;
        let _: __pmem::AssertEq<V>;
        let _: __pmem::AssertEq<Tree<'p, K, V>>;
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::PartialOrd for Tree<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::PartialOrd,
        V: __pmem::Persistent + __pmem::PartialOrd,
    {
        fn partial_cmp(&self, __other: &Self) -> __pmem::Option<__pmem::Ordering> {
            __pmem::ordering(
                <Self as __pmem::Walk<
                    '_,
                    __pmem::ByPartialOrd<true>,
                >>::walk(self, __other),
            )
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Ord for Tree<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Ord,
        V: __pmem::Persistent + __pmem::Ord,
    {
        fn cmp(&self, __other: &Self) -> __pmem::Ordering {
            __pmem::total(<Self as __pmem::Walk<'_, __pmem::ByOrd>>::walk(self, __other))
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, K, V> {
            Tree(&'__a Tree<'p, K, V>, __pmem::u8),
        }
        #[automatically_derived]
        impl<'p, K, V> __pmem::Hash for Tree<'p, K, V>
        where
            K: __pmem::Persistent + __pmem::Hash,
            V: __pmem::Persistent + __pmem::Hash,
        {
            fn hash<__H: __pmem::Hasher>(&self, __state: &mut __H) {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Tree(self, 0);
                loop {
                    match __next {
                        __Todo::Tree(__value, __at) => {
                            if __at == 0 {
                                __pmem::Hash::hash(&__value.view().__index(), __state);
                            }
                            match (__at, __value.view()) {
                                (_, TreeView::Leaf) => {}
                                (0, TreeView::Node { left: __value_left, .. }) => {
                                    __todo.push(__Todo::Tree(__value, 1));
                                    __todo.push(__Todo::Tree(__value_left, 0));
                                }
                                (
                                    _,
                                    TreeView::Node {
                                        key: __value_key,
                                        value: __value_value,
                                        right: __value_right,
                                        ..
                                    },
                                ) => {
                                    <K as __pmem::Hash>::hash(__value_key, __state);
                                    <V as __pmem::Hash>::hash(__value_value, __state);
                                    __todo.push(__Todo::Tree(__value_right, 0));
                                }
                            }
                        }
                    }
                    __next = match __todo.pop() {
                        __pmem::Some(__step) => __step,
                        __pmem::None => return,
                    };
                }
            }
        }
    };
};
