///A functional `Trie`: a handle that owns its node.
#[derive(::pmem_runtime::Persistent)]
#[repr(transparent)]
struct Trie<'p> {
    #[persistent(rename = "node")]
    __node: ::pmem_runtime::P<'p, __TrieNode<'p>>,
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "TrieNode")]
#[repr(C)]
struct __TrieNode<'p> {
    weight: f64,
    children: [Option<Trie<'p>>; 26],
}
///A [`Trie`] to look at, lent by [`Trie::view`].
struct TrieView<'a, 'p> {
    ///The field `weight` of `Trie`.
    weight: &'a f64,
    ///The field `children` of `Trie`.
    children: &'a [Option<Trie<'p>>; 26],
}
///The fields of a [`Trie`], taken out by [`Trie::take`].
struct TrieParts<'p> {
    ///The field `weight` of `Trie`.
    weight: f64,
    ///The field `children` of `Trie`.
    children: [Option<Trie<'p>>; 26],
}
///The fields of a [`Trie`] for writing, lent by [`Trie::make_mut`].
struct TrieMut<'a, 'p> {
    ///The field `weight` of `Trie`.
    weight: &'a mut f64,
    ///The field `children` of `Trie`.
    children: &'a mut [Option<Trie<'p>>; 26],
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    impl<'p> Trie<'p> {
        ///A new node with a `Trie`.
        #[must_use]
        fn new(
            tx: &__pmem::Fase<'p>,
            weight: f64,
            children: [Option<Trie<'p>>; 26],
        ) -> Self {
            let __node = __pmem::P::new(tx, __TrieNode { weight, children });
            Trie { __node: __node }
        }
    }
    impl<'p> Trie<'p> {
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        fn view(&self) -> TrieView<'_, 'p> {
            let __node = &self.__node;
            {
                let __TrieNode { weight, children } = &**__node;
                TrieView { weight, children }
            }
        }
        /// Whether both are the same node, or the same variant without a node: equal without looking.
        #[must_use]
        fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
            __pmem::P::ptr_eq(&left.__node, &right.__node)
        }
    }
    impl<'p> Trie<'p> {
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        fn take(self, tx: &__pmem::Fase<'p>) -> TrieParts<'p> {
            let __node = self.__node;
            {
                let __TrieNode { weight, children } = __pmem::P::take(__node, tx);
                TrieParts { weight, children }
            }
        }
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> TrieMut<'_, 'p> {
            let __node = &mut self.__node;
            {
                let __TrieNode { weight, children } = __pmem::P::make_mut(__node, tx);
                TrieMut { weight, children }
            }
        }
        /// A second owner of the same node: an old version that is kept costs only what later changes.
        ///
        /// Complexity: one count.
        #[must_use]
        fn share(&self, tx: &__pmem::Fase<'p>) -> Self {
            __pmem::Fase::share(tx, self)
        }
    }
    impl<'p> Trie<'p> {
        ///The field `weight` of `Trie`.
        #[must_use]
        fn weight(&self) -> &f64 {
            {
                let __TrieNode { weight, .. } = &*self.__node;
                weight
            }
        }
        ///The field `children` of `Trie`.
        #[must_use]
        fn children(&self) -> &[Option<Trie<'p>>; 26] {
            {
                let __TrieNode { children, .. } = &*self.__node;
                children
            }
        }
    }
    impl<'p> Trie<'p> {
        ///With the field `weight` of `Trie` replaced.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_weight(mut self, tx: &__pmem::Fase<'p>, weight: f64) -> Self {
            let __node = &mut self.__node;
            {
                let __TrieNode { weight: __place, .. } = __pmem::P::make_mut(__node, tx);
                *__place = weight;
            };
            self
        }
        ///With the field `children` of `Trie` replaced.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        #[must_use]
        fn with_children(
            mut self,
            tx: &__pmem::Fase<'p>,
            children: [Option<Trie<'p>>; 26],
        ) -> Self {
            let __node = &mut self.__node;
            {
                let __TrieNode { children: __place, .. } = __pmem::P::make_mut(
                    __node,
                    tx,
                );
                *__place = children;
            };
            self
        }
    }
    #[automatically_derived]
    impl<'a, 'p> __pmem::Clone for TrieView<'a, 'p> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, 'p> __pmem::Copy for TrieView<'a, 'p> {}
    impl<'p> TrieParts<'p> {
        /// Puts the parts together, in a new node if they need one.
        #[must_use]
        fn build(self, tx: &__pmem::Fase<'p>) -> Trie<'p> {
            match self {
                TrieParts { weight, children } => Trie::new(tx, weight, children),
            }
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p> {
            Trie(&'__a Trie<'p>, &'__a Trie<'p>, __pmem::u8),
            Array0(&'__a [Option<Trie<'p>>], &'__a [Option<Trie<'p>>]),
        }
        impl<'__a, 'p, __O> __pmem::Walk<'__a, __O> for Trie<'p>
        where
            __O: __pmem::Comparison,
            __O: __pmem::Compare<f64>,
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
                                    (
                                        _,
                                        TrieView {
                                            weight: __left_weight,
                                            children: __left_children,
                                            ..
                                        },
                                        TrieView {
                                            weight: __right_weight,
                                            children: __right_children,
                                            ..
                                        },
                                    ) => {
                                        <__O as __pmem::Compare<
                                            f64,
                                        >>::compare(__left_weight, __right_weight)?;
                                        __todo
                                            .push(__Todo::Array0(__left_children, __right_children));
                                    }
                                }
                            }
                        }
                        __Todo::Array0(
                            [__left,
                            __left_rest @ ..,
                            ],
                            [__right,
                            __right_rest @ ..,
                            ],
                        ) => {
                            __todo.push(__Todo::Array0(__left_rest, __right_rest));
                            match (__left, __right) {
                                (__pmem::Some(__left), __pmem::Some(__right)) => {
                                    __todo.push(__Todo::Trie(__left, __right, 0));
                                }
                                (__left, __right) => {
                                    __pmem::in_order(
                                        __left.is_some() as __pmem::isize,
                                        __right.is_some() as __pmem::isize,
                                    )?;
                                }
                            }
                        }
                        __Todo::Array0(..) => {}
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
    impl<'p> __pmem::PartialEq for Trie<'p> {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            <Self as __pmem::Walk<'_, __pmem::ByEq<false>>>::walk(self, __other).is_ok()
        }
    }
};
