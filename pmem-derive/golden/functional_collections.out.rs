/// A functional `Trie`: a handle that owns its node.
#[derive(::pmem_runtime::Persistent)]
#[repr(transparent)]
struct Trie<'p, K, V> {
    #[persistent(rename = "node")]
    __node: ::core::option::Option<::pmem_runtime::P<'p, __TrieNode<'p, K, V>>>,
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "TrieNode")]
#[repr(C)]
struct __TrieNode<'p, K, V> {
    value: Option<V>,
    kids: OrdMap<'p, K, Trie<'p, K, V>>,
}
/// A [`Trie`] to look at, lent by [`Trie::view`].
enum TrieView<'a, 'p, K, V> {
    /// `Empty` of `Trie`.
    Empty,
    /// `Node` of `Trie`.
    Node {
        /// The field `value` of `Trie`.
        value: &'a Option<V>,
        /// The field `kids` of `Trie`.
        kids: &'a OrdMap<'p, K, Trie<'p, K, V>>,
    },
}
/// The fields of a [`Trie`], taken out by [`Trie::take`].
enum TrieParts<'p, K, V> {
    /// `Empty` of `Trie`.
    Empty,
    /// `Node` of `Trie`.
    Node {
        /// The field `value` of `Trie`.
        value: Option<V>,
        /// The field `kids` of `Trie`.
        kids: OrdMap<'p, K, Trie<'p, K, V>>,
    },
}
/// The fields of a [`Trie`] for writing, lent by [`Trie::make_mut`].
enum TrieMut<'a, 'p, K, V> {
    /// `Empty` of `Trie`.
    Empty,
    /// `Node` of `Trie`.
    Node {
        /// The field `value` of `Trie`.
        value: &'a mut Option<V>,
        /// The field `kids` of `Trie`.
        kids: &'a mut OrdMap<'p, K, Trie<'p, K, V>>,
    },
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    impl<'p, K, V> Trie<'p, K, V> {
        /// `Empty`, which needs no node.
        #[must_use]
        const fn empty() -> Self {
            Trie { __node: __pmem::None }
        }
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        fn view(&self) -> TrieView<'_, 'p, K, V> {
            match &self.__node {
                __pmem::None => TrieView::Empty,
                __pmem::Some(__node) => {
                    let __TrieNode { value, kids } = &**__node;
                    TrieView::Node { value, kids }
                }
            }
        }
        /// Whether both are the same node, or the same variant without a node: equal without looking.
        #[must_use]
        fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
            match (&left.__node, &right.__node) {
                (__pmem::Some(__left), __pmem::Some(__right)) => {
                    __pmem::P::ptr_eq(__left, __right)
                }
                (__pmem::None, __pmem::None) => true,
                _ => false,
            }
        }
        /// Whether it is `Empty`.
        #[must_use]
        fn is_empty(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), TrieView::Empty { .. })
        }
        /// Whether it is `Node`.
        #[must_use]
        fn is_node(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), TrieView::Node { .. })
        }
    }
    impl<'p, K, V> Trie<'p, K, V>
    where
        K: __pmem::Persistent<At<'p> = K>,
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// A new node: `Node`.
        #[must_use]
        fn node(
            tx: &__pmem::Fase<'p>,
            value: Option<V>,
            kids: OrdMap<'p, K, Trie<'p, K, V>>,
        ) -> Self {
            let __node = __pmem::P::new(tx, __TrieNode { value, kids });
            Trie {
                __node: __pmem::Some(__node),
            }
        }
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        fn take(self, tx: &__pmem::Fase<'p>) -> TrieParts<'p, K, V> {
            match self.__node {
                __pmem::None => TrieParts::Empty,
                __pmem::Some(__node) => {
                    let __TrieNode { value, kids } = __pmem::P::take(__node, tx);
                    TrieParts::Node { value, kids }
                }
            }
        }
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> TrieMut<'_, 'p, K, V> {
            match &mut self.__node {
                __pmem::None => TrieMut::Empty,
                __pmem::Some(__node) => {
                    let __TrieNode { value, kids } = __pmem::P::make_mut(__node, tx);
                    TrieMut::Node { value, kids }
                }
            }
        }
        /// A second owner of the same node: an old version that is kept costs only what later changes.
        ///
        /// Complexity: one count.
        #[must_use]
        fn share(&self, tx: &__pmem::Fase<'p>) -> Self {
            __pmem::Fase::share(tx, self)
        }
        /// With the field `value` of `Trie` replaced; `Empty`, which has no fields, stays what it is.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_value(mut self, tx: &__pmem::Fase<'p>, value: Option<V>) -> Self {
            match &mut self.__node {
                __pmem::None => {}
                __pmem::Some(__node) => {
                    let __TrieNode { value: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = value;
                }
            };
            self
        }
        /// With the field `kids` of `Trie` replaced; `Empty`, which has no fields, stays what it is.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_kids(
            mut self,
            tx: &__pmem::Fase<'p>,
            kids: OrdMap<'p, K, Trie<'p, K, V>>,
        ) -> Self {
            match &mut self.__node {
                __pmem::None => {}
                __pmem::Some(__node) => {
                    let __TrieNode { kids: __place, .. } = __pmem::P::make_mut(
                        __node,
                        tx,
                    );
                    *__place = kids;
                }
            };
            self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Clone for TrieView<'a, 'p, K, V> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Copy for TrieView<'a, 'p, K, V> {}
    impl<'p, K, V> TrieParts<'p, K, V>
    where
        K: __pmem::Persistent<At<'p> = K>,
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// Puts the parts together, in a new node if they need one.
        #[must_use]
        fn build(self, tx: &__pmem::Fase<'p>) -> Trie<'p, K, V> {
            match self {
                TrieParts::Empty => Trie::empty(),
                TrieParts::Node { value, kids } => Trie::node(tx, value, kids),
            }
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Default for Trie<'p, K, V> {
        fn default() -> Self {
            Trie::empty()
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Debug for Trie<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            __pmem::debug_within(
                __f,
                |__f| match self.view() {
                    TrieView::Empty {} => __pmem::Formatter::write_str(__f, "Empty"),
                    TrieView::Node { value, kids } => {
                        __pmem::Formatter::debug_struct(__f, "Node")
                            .field("value", value)
                            .field("kids", kids)
                            .finish()
                    }
                },
            )
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Debug for TrieView<'a, 'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                TrieView::Empty {} => __pmem::Formatter::write_str(__f, "Empty"),
                TrieView::Node { value, kids } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("value", value)
                        .field("kids", kids)
                        .finish()
                }
            }
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Debug for TrieParts<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                TrieParts::Empty {} => __pmem::Formatter::write_str(__f, "Empty"),
                TrieParts::Node { value, kids } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("value", value)
                        .field("kids", kids)
                        .finish()
                }
            }
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Debug for TrieMut<'a, 'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                TrieMut::Empty {} => __pmem::Formatter::write_str(__f, "Empty"),
                TrieMut::Node { value, kids } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("value", value)
                        .field("kids", kids)
                        .finish()
                }
            }
        }
    }
    impl<'a, 'p, K, V> TrieView<'a, 'p, K, V> {
        const fn __index(self) -> __pmem::isize {
            match self {
                TrieView::Empty { .. } => 0,
                TrieView::Node { .. } => 1,
            }
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, K, V> {
            Trie(&'__a Trie<'p, K, V>, &'__a Trie<'p, K, V>, __pmem::u8),
        }
        impl<'__a, 'p, K, V, __O> __pmem::Walk<'__a, __O> for Trie<'p, K, V>
        where
            __O: __pmem::Comparison,
            __O: __pmem::Compare<Option<V>>,
            __O: __pmem::Compare<OrdMap<'p, K, Trie<'p, K, V>>>,
        {
            fn walk(
                __left: &'__a Self,
                __right: &'__a Self,
            ) -> __pmem::Result<(), __pmem::Unequal> {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Trie(__left, __right, 0);
                loop {
                    match __next {
                        __Todo::Trie(__left, __right, __at) => {
                            let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                && Trie::ptr_eq(__left, __right);
                            if !__is_same {
                                match (__at, __left.view(), __right.view()) {
                                    (_, TrieView::Empty, TrieView::Empty) => {}
                                    (
                                        _,
                                        TrieView::Node {
                                            value: __left_value,
                                            kids: __left_kids,
                                            ..
                                        },
                                        TrieView::Node {
                                            value: __right_value,
                                            kids: __right_kids,
                                            ..
                                        },
                                    ) => {
                                        <__O as __pmem::Compare<
                                            Option<V>,
                                        >>::compare(__left_value, __right_value)?;
                                        <__O as __pmem::Compare<
                                            OrdMap<'p, K, Trie<'p, K, V>>,
                                        >>::compare(__left_kids, __right_kids)?;
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
    impl<'p, K, V> __pmem::PartialEq for Trie<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::PartialEq,
        V: __pmem::Persistent + __pmem::PartialEq,
    {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            <Self as __pmem::Walk<'_, __pmem::ByEq<true>>>::walk(self, __other).is_ok()
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Eq for Trie<'p, K, V>
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
        let _: __pmem::AssertEq<Option<V>>;
        let _: __pmem::AssertEq<OrdMap<'p, K, Trie<'p, K, V>>>;
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::PartialOrd for Trie<'p, K, V>
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
    impl<'p, K, V> __pmem::Ord for Trie<'p, K, V>
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
            Trie(&'__a Trie<'p, K, V>, __pmem::u8),
        }
        #[automatically_derived]
        impl<'p, K, V> __pmem::Hash for Trie<'p, K, V>
        where
            K: __pmem::Persistent + __pmem::Hash,
            V: __pmem::Persistent + __pmem::Hash,
        {
            fn hash<__H: __pmem::Hasher>(&self, __state: &mut __H) {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Trie(self, 0);
                loop {
                    match __next {
                        __Todo::Trie(__value, __at) => {
                            if __at == 0 {
                                __pmem::Hash::hash(&__value.view().__index(), __state);
                            }
                            match (__at, __value.view()) {
                                (_, TrieView::Empty) => {}
                                (
                                    _,
                                    TrieView::Node {
                                        value: __value_value,
                                        kids: __value_kids,
                                        ..
                                    },
                                ) => {
                                    <Option<V> as __pmem::Hash>::hash(__value_value, __state);
                                    <OrdMap<
                                        'p,
                                        K,
                                        Trie<'p, K, V>,
                                    > as __pmem::Hash>::hash(__value_kids, __state);
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
/// A functional `Rose`: a handle that owns its node.
#[derive(::pmem_runtime::Persistent)]
#[repr(transparent)]
struct Rose<'p, V> {
    #[persistent(rename = "node")]
    __node: ::pmem_runtime::P<'p, __RoseNode<'p, V>>,
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "RoseNode")]
#[repr(C)]
struct __RoseNode<'p, V> {
    value: V,
    kids: Vector<'p, Rose<'p, V>>,
}
/// A [`Rose`] to look at, lent by [`Rose::view`].
enum RoseView<'a, 'p, V> {
    /// `Node` of `Rose`.
    Node {
        /// The field `value` of `Rose`.
        value: &'a V,
        /// The field `kids` of `Rose`.
        kids: &'a Vector<'p, Rose<'p, V>>,
    },
}
/// The fields of a [`Rose`], taken out by [`Rose::take`].
enum RoseParts<'p, V> {
    /// `Node` of `Rose`.
    Node {
        /// The field `value` of `Rose`.
        value: V,
        /// The field `kids` of `Rose`.
        kids: Vector<'p, Rose<'p, V>>,
    },
}
/// The fields of a [`Rose`] for writing, lent by [`Rose::make_mut`].
enum RoseMut<'a, 'p, V> {
    /// `Node` of `Rose`.
    Node {
        /// The field `value` of `Rose`.
        value: &'a mut V,
        /// The field `kids` of `Rose`.
        kids: &'a mut Vector<'p, Rose<'p, V>>,
    },
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    impl<'p, V> Rose<'p, V> {
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        fn view(&self) -> RoseView<'_, 'p, V> {
            let __node = &self.__node;
            {
                let __RoseNode { value, kids } = &**__node;
                RoseView::Node { value, kids }
            }
        }
        /// Whether both are the same node, or the same variant without a node: equal without looking.
        #[must_use]
        fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
            __pmem::P::ptr_eq(&left.__node, &right.__node)
        }
        /// Whether it is `Node`.
        #[must_use]
        fn is_node(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), RoseView::Node { .. })
        }
        /// The field `value` of `Rose`.
        #[must_use]
        fn value(&self) -> &V {
            {
                let __RoseNode { value, .. } = &*self.__node;
                value
            }
        }
        /// The field `kids` of `Rose`.
        #[must_use]
        fn kids(&self) -> &Vector<'p, Rose<'p, V>> {
            {
                let __RoseNode { kids, .. } = &*self.__node;
                kids
            }
        }
    }
    impl<'p, V> Rose<'p, V>
    where
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// A new node: `Node`.
        #[must_use]
        fn node(tx: &__pmem::Fase<'p>, value: V, kids: Vector<'p, Rose<'p, V>>) -> Self {
            let __node = __pmem::P::new(tx, __RoseNode { value, kids });
            Rose { __node: __node }
        }
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        fn take(self, tx: &__pmem::Fase<'p>) -> RoseParts<'p, V> {
            let __node = self.__node;
            {
                let __RoseNode { value, kids } = __pmem::P::take(__node, tx);
                RoseParts::Node { value, kids }
            }
        }
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> RoseMut<'_, 'p, V> {
            let __node = &mut self.__node;
            {
                let __RoseNode { value, kids } = __pmem::P::make_mut(__node, tx);
                RoseMut::Node { value, kids }
            }
        }
        /// A second owner of the same node: an old version that is kept costs only what later changes.
        ///
        /// Complexity: one count.
        #[must_use]
        fn share(&self, tx: &__pmem::Fase<'p>) -> Self {
            __pmem::Fase::share(tx, self)
        }
        /// With the field `value` of `Rose` replaced.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_value(mut self, tx: &__pmem::Fase<'p>, value: V) -> Self {
            let __node = &mut self.__node;
            {
                let __RoseNode { value: __place, .. } = __pmem::P::make_mut(__node, tx);
                *__place = value;
            };
            self
        }
        /// With the field `kids` of `Rose` replaced.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_kids(
            mut self,
            tx: &__pmem::Fase<'p>,
            kids: Vector<'p, Rose<'p, V>>,
        ) -> Self {
            let __node = &mut self.__node;
            {
                let __RoseNode { kids: __place, .. } = __pmem::P::make_mut(__node, tx);
                *__place = kids;
            };
            self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, V> __pmem::Clone for RoseView<'a, 'p, V> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, V> __pmem::Copy for RoseView<'a, 'p, V> {}
    impl<'p, V> RoseParts<'p, V>
    where
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// Puts the parts together, in a new node if they need one.
        #[must_use]
        fn build(self, tx: &__pmem::Fase<'p>) -> Rose<'p, V> {
            match self {
                RoseParts::Node { value, kids } => Rose::node(tx, value, kids),
            }
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, V> {
            Rose(&'__a Rose<'p, V>, &'__a Rose<'p, V>, __pmem::u8),
        }
        impl<'__a, 'p, V, __O> __pmem::Walk<'__a, __O> for Rose<'p, V>
        where
            __O: __pmem::Comparison,
            __O: __pmem::Compare<V>,
            __O: __pmem::Compare<Vector<'p, Rose<'p, V>>>,
        {
            fn walk(
                __left: &'__a Self,
                __right: &'__a Self,
            ) -> __pmem::Result<(), __pmem::Unequal> {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Rose(__left, __right, 0);
                loop {
                    match __next {
                        __Todo::Rose(__left, __right, __at) => {
                            let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                && Rose::ptr_eq(__left, __right);
                            if !__is_same {
                                match (__at, __left.view(), __right.view()) {
                                    (
                                        _,
                                        RoseView::Node {
                                            value: __left_value,
                                            kids: __left_kids,
                                            ..
                                        },
                                        RoseView::Node {
                                            value: __right_value,
                                            kids: __right_kids,
                                            ..
                                        },
                                    ) => {
                                        <__O as __pmem::Compare<
                                            V,
                                        >>::compare(__left_value, __right_value)?;
                                        <__O as __pmem::Compare<
                                            Vector<'p, Rose<'p, V>>,
                                        >>::compare(__left_kids, __right_kids)?;
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
    impl<'p, V> __pmem::PartialEq for Rose<'p, V>
    where
        V: __pmem::Persistent + __pmem::PartialEq,
    {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            <Self as __pmem::Walk<'_, __pmem::ByEq<false>>>::walk(self, __other).is_ok()
        }
    }
};
/// A functional `Graph`: a handle that owns its node.
#[derive(::pmem_runtime::Persistent)]
#[repr(transparent)]
struct Graph<'p, K, V> {
    #[persistent(rename = "node")]
    __node: ::pmem_runtime::P<'p, __GraphNode<'p, K, V>>,
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "GraphNode")]
#[repr(C)]
struct __GraphNode<'p, K, V> {
    value: V,
    edges: Map<'p, K, Graph<'p, K, V>>,
}
/// A [`Graph`] to look at, lent by [`Graph::view`].
enum GraphView<'a, 'p, K, V> {
    /// `Node` of `Graph`.
    Node {
        /// The field `value` of `Graph`.
        value: &'a V,
        /// The field `edges` of `Graph`.
        edges: &'a Map<'p, K, Graph<'p, K, V>>,
    },
}
/// The fields of a [`Graph`], taken out by [`Graph::take`].
enum GraphParts<'p, K, V> {
    /// `Node` of `Graph`.
    Node {
        /// The field `value` of `Graph`.
        value: V,
        /// The field `edges` of `Graph`.
        edges: Map<'p, K, Graph<'p, K, V>>,
    },
}
/// The fields of a [`Graph`] for writing, lent by [`Graph::make_mut`].
enum GraphMut<'a, 'p, K, V> {
    /// `Node` of `Graph`.
    Node {
        /// The field `value` of `Graph`.
        value: &'a mut V,
        /// The field `edges` of `Graph`.
        edges: &'a mut Map<'p, K, Graph<'p, K, V>>,
    },
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    impl<'p, K, V> Graph<'p, K, V> {
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        fn view(&self) -> GraphView<'_, 'p, K, V> {
            let __node = &self.__node;
            {
                let __GraphNode { value, edges } = &**__node;
                GraphView::Node { value, edges }
            }
        }
        /// Whether both are the same node, or the same variant without a node: equal without looking.
        #[must_use]
        fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
            __pmem::P::ptr_eq(&left.__node, &right.__node)
        }
        /// Whether it is `Node`.
        #[must_use]
        fn is_node(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), GraphView::Node { .. })
        }
        /// The field `value` of `Graph`.
        #[must_use]
        fn value(&self) -> &V {
            {
                let __GraphNode { value, .. } = &*self.__node;
                value
            }
        }
        /// The field `edges` of `Graph`.
        #[must_use]
        fn edges(&self) -> &Map<'p, K, Graph<'p, K, V>> {
            {
                let __GraphNode { edges, .. } = &*self.__node;
                edges
            }
        }
    }
    impl<'p, K, V> Graph<'p, K, V>
    where
        K: __pmem::Persistent<At<'p> = K>,
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// A new node: `Node`.
        #[must_use]
        fn node(
            tx: &__pmem::Fase<'p>,
            value: V,
            edges: Map<'p, K, Graph<'p, K, V>>,
        ) -> Self {
            let __node = __pmem::P::new(tx, __GraphNode { value, edges });
            Graph { __node: __node }
        }
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        fn take(self, tx: &__pmem::Fase<'p>) -> GraphParts<'p, K, V> {
            let __node = self.__node;
            {
                let __GraphNode { value, edges } = __pmem::P::take(__node, tx);
                GraphParts::Node { value, edges }
            }
        }
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> GraphMut<'_, 'p, K, V> {
            let __node = &mut self.__node;
            {
                let __GraphNode { value, edges } = __pmem::P::make_mut(__node, tx);
                GraphMut::Node { value, edges }
            }
        }
        /// A second owner of the same node: an old version that is kept costs only what later changes.
        ///
        /// Complexity: one count.
        #[must_use]
        fn share(&self, tx: &__pmem::Fase<'p>) -> Self {
            __pmem::Fase::share(tx, self)
        }
        /// With the field `value` of `Graph` replaced.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_value(mut self, tx: &__pmem::Fase<'p>, value: V) -> Self {
            let __node = &mut self.__node;
            {
                let __GraphNode { value: __place, .. } = __pmem::P::make_mut(__node, tx);
                *__place = value;
            };
            self
        }
        /// With the field `edges` of `Graph` replaced.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_edges(
            mut self,
            tx: &__pmem::Fase<'p>,
            edges: Map<'p, K, Graph<'p, K, V>>,
        ) -> Self {
            let __node = &mut self.__node;
            {
                let __GraphNode { edges: __place, .. } = __pmem::P::make_mut(__node, tx);
                *__place = edges;
            };
            self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Clone for GraphView<'a, 'p, K, V> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Copy for GraphView<'a, 'p, K, V> {}
    impl<'p, K, V> GraphParts<'p, K, V>
    where
        K: __pmem::Persistent<At<'p> = K>,
        V: __pmem::Persistent<At<'p> = V>,
    {
        /// Puts the parts together, in a new node if they need one.
        #[must_use]
        fn build(self, tx: &__pmem::Fase<'p>) -> Graph<'p, K, V> {
            match self {
                GraphParts::Node { value, edges } => Graph::node(tx, value, edges),
            }
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Debug for Graph<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            __pmem::debug_within(
                __f,
                |__f| match self.view() {
                    GraphView::Node { value, edges } => {
                        __pmem::Formatter::debug_struct(__f, "Node")
                            .field("value", value)
                            .field("edges", edges)
                            .finish()
                    }
                },
            )
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Debug for GraphView<'a, 'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                GraphView::Node { value, edges } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("value", value)
                        .field("edges", edges)
                        .finish()
                }
            }
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Debug for GraphParts<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                GraphParts::Node { value, edges } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("value", value)
                        .field("edges", edges)
                        .finish()
                }
            }
        }
    }
    #[automatically_derived]
    impl<'a, 'p, K, V> __pmem::Debug for GraphMut<'a, 'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Debug,
        V: __pmem::Persistent + __pmem::Debug,
    {
        fn fmt(&self, __f: &mut __pmem::Formatter<'_>) -> __pmem::fmt::Result {
            match self {
                GraphMut::Node { value, edges } => {
                    __pmem::Formatter::debug_struct(__f, "Node")
                        .field("value", value)
                        .field("edges", edges)
                        .finish()
                }
            }
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, K, V> {
            Graph(&'__a Graph<'p, K, V>, &'__a Graph<'p, K, V>, __pmem::u8),
        }
        impl<'__a, 'p, K, V, __O> __pmem::Walk<'__a, __O> for Graph<'p, K, V>
        where
            __O: __pmem::Comparison,
            __O: __pmem::Compare<V>,
            __O: __pmem::Compare<Map<'p, K, Graph<'p, K, V>>>,
        {
            fn walk(
                __left: &'__a Self,
                __right: &'__a Self,
            ) -> __pmem::Result<(), __pmem::Unequal> {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Graph(__left, __right, 0);
                loop {
                    match __next {
                        __Todo::Graph(__left, __right, __at) => {
                            let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                && Graph::ptr_eq(__left, __right);
                            if !__is_same {
                                match (__at, __left.view(), __right.view()) {
                                    (
                                        _,
                                        GraphView::Node {
                                            value: __left_value,
                                            edges: __left_edges,
                                            ..
                                        },
                                        GraphView::Node {
                                            value: __right_value,
                                            edges: __right_edges,
                                            ..
                                        },
                                    ) => {
                                        <__O as __pmem::Compare<
                                            V,
                                        >>::compare(__left_value, __right_value)?;
                                        <__O as __pmem::Compare<
                                            Map<'p, K, Graph<'p, K, V>>,
                                        >>::compare(__left_edges, __right_edges)?;
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
    impl<'p, K, V> __pmem::PartialEq for Graph<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::PartialEq,
        V: __pmem::Persistent + __pmem::PartialEq,
        K: __pmem::Hash + __pmem::Eq,
    {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            <Self as __pmem::Walk<'_, __pmem::ByEq<true>>>::walk(self, __other).is_ok()
        }
    }
    #[automatically_derived]
    impl<'p, K, V> __pmem::Eq for Graph<'p, K, V>
    where
        K: __pmem::Persistent + __pmem::Eq,
        V: __pmem::Persistent + __pmem::Eq,
        K: __pmem::Hash + __pmem::Eq,
    {}
    /// The fields are `Eq`: a node is equal to itself.
    fn __fields_are_eq<'p, K, V>()
    where
        K: __pmem::Persistent + __pmem::Eq,
        V: __pmem::Persistent + __pmem::Eq,
        K: __pmem::Hash + __pmem::Eq,
    {
        let _: __pmem::AssertEq<V>;
        let _: __pmem::AssertEq<Map<'p, K, Graph<'p, K, V>>>;
    }
};
