/// A functional `Expression`: a handle that owns its node.
#[derive(::pmem_runtime::Persistent)]
#[repr(transparent)]
struct Expression<'p, T> {
    #[persistent(rename = "node")]
    __node: __ExpressionForm<'p, T>,
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "ExpressionForm")]
#[repr(C, u8)]
enum __ExpressionForm<'p, T> {
    True,
    False,
    #[persistent(rename = "Node")]
    __Node(::pmem_runtime::P<'p, __ExpressionNode<'p, T>>),
}
#[doc(hidden)]
#[derive(::pmem_runtime::Persistent)]
#[persistent(rename = "ExpressionNode")]
#[repr(C, u8)]
enum __ExpressionNode<'p, T> {
    Not(Expression<'p, T>),
    If {
        pair: (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
        tx: Option<Expression<'p, T>>,
    },
}
/// A [`Expression`] to look at, lent by [`Expression::view`].
enum ExpressionView<'a, 'p, T> {
    /// `True` of `Expression`.
    True,
    /// `False` of `Expression`.
    False,
    /// `Not` of `Expression`.
    Not(
        /// The field `0` of `Expression`.
        &'a Expression<'p, T>,
    ),
    /// `If` of `Expression`.
    If {
        /// The field `pair` of `Expression`.
        pair: &'a (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
        /// The field `tx` of `Expression`.
        tx: &'a Option<Expression<'p, T>>,
    },
}
/// The fields of a [`Expression`], taken out by [`Expression::take`].
enum ExpressionParts<'p, T> {
    /// `True` of `Expression`.
    True,
    /// `False` of `Expression`.
    False,
    /// `Not` of `Expression`.
    Not(
        /// The field `0` of `Expression`.
        Expression<'p, T>,
    ),
    /// `If` of `Expression`.
    If {
        /// The field `pair` of `Expression`.
        pair: (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
        /// The field `tx` of `Expression`.
        tx: Option<Expression<'p, T>>,
    },
}
/// The fields of a [`Expression`] for writing, lent by [`Expression::make_mut`].
enum ExpressionMut<'a, 'p, T> {
    /// `True` of `Expression`.
    True,
    /// `False` of `Expression`.
    False,
    /// `Not` of `Expression`.
    Not(
        /// The field `0` of `Expression`.
        &'a mut Expression<'p, T>,
    ),
    /// `If` of `Expression`.
    If {
        /// The field `pair` of `Expression`.
        pair: &'a mut (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
        /// The field `tx` of `Expression`.
        tx: &'a mut Option<Expression<'p, T>>,
    },
}
const _: () = {
    use ::pmem_runtime::__private as __pmem;
    impl<'p, T> Expression<'p, T> {
        /// `True`, which needs no node.
        #[must_use]
        const fn true_() -> Self {
            Expression {
                __node: __ExpressionForm::True,
            }
        }
        /// `False`, which needs no node.
        #[must_use]
        const fn false_() -> Self {
            Expression {
                __node: __ExpressionForm::False,
            }
        }
        /// What it is, to `match` on: references to the fields.
        #[must_use]
        fn view(&self) -> ExpressionView<'_, 'p, T> {
            match &self.__node {
                __ExpressionForm::True => ExpressionView::True,
                __ExpressionForm::False => ExpressionView::False,
                __ExpressionForm::__Node(__node) => {
                    match &**__node {
                        __ExpressionNode::Not { 0: field_0 } => {
                            ExpressionView::Not { 0: field_0 }
                        }
                        __ExpressionNode::If { pair, tx } => {
                            ExpressionView::If { pair, tx }
                        }
                    }
                }
            }
        }
        /// Whether both are the same node, or the same variant without a node: equal without looking.
        #[must_use]
        fn ptr_eq(left: &Self, right: &Self) -> __pmem::bool {
            match (&left.__node, &right.__node) {
                (__ExpressionForm::__Node(__left), __ExpressionForm::__Node(__right)) => {
                    __pmem::P::ptr_eq(__left, __right)
                }
                (__ExpressionForm::True, __ExpressionForm::True) => true,
                (__ExpressionForm::False, __ExpressionForm::False) => true,
                _ => false,
            }
        }
        /// Whether it is `True`.
        #[must_use]
        fn is_true(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), ExpressionView::True { .. })
        }
        /// Whether it is `False`.
        #[must_use]
        fn is_false(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), ExpressionView::False { .. })
        }
        /// Whether it is `Not`.
        #[must_use]
        fn is_not(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), ExpressionView::Not { .. })
        }
        /// Whether it is `If`.
        #[must_use]
        fn is_if(&self) -> __pmem::bool {
            __pmem::matches!(self.view(), ExpressionView::If { .. })
        }
    }
    impl<'p, T> Expression<'p, T>
    where
        T: __pmem::Persistent<At<'p> = T>,
    {
        /// A new node: `Not`.
        #[must_use]
        fn not(__tx: &__pmem::Fase<'p>, field_0: Expression<'p, T>) -> Self {
            let __node = __pmem::P::new(
                __tx,
                __ExpressionNode::Not {
                    0: field_0,
                },
            );
            Expression {
                __node: __ExpressionForm::__Node(__node),
            }
        }
        /// A new node: `If`.
        #[must_use]
        fn if_(
            __tx: &__pmem::Fase<'p>,
            pair: (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
            tx: Option<Expression<'p, T>>,
        ) -> Self {
            let __node = __pmem::P::new(__tx, __ExpressionNode::If { pair, tx });
            Expression {
                __node: __ExpressionForm::__Node(__node),
            }
        }
        /// Takes it apart: the fields are moved out if nobody else owns the node, else shared.
        ///
        /// Complexity: O(size of the node).
        #[must_use]
        fn take(self, tx: &__pmem::Fase<'p>) -> ExpressionParts<'p, T> {
            match self.__node {
                __ExpressionForm::True => ExpressionParts::True,
                __ExpressionForm::False => ExpressionParts::False,
                __ExpressionForm::__Node(__node) => {
                    match __pmem::P::take(__node, tx) {
                        __ExpressionNode::Not { 0: field_0 } => {
                            ExpressionParts::Not { 0: field_0 }
                        }
                        __ExpressionNode::If { pair, tx } => {
                            ExpressionParts::If { pair, tx }
                        }
                    }
                }
            }
        }
        /// The fields for writing: in place if this section made the node and nobody else owns it, else in a copy that
        /// takes the node's place. Other owners see the old one.
        ///
        /// Complexity: O(size of the node), the first time in a section.
        fn make_mut(&mut self, tx: &__pmem::Fase<'p>) -> ExpressionMut<'_, 'p, T> {
            match &mut self.__node {
                __ExpressionForm::True => ExpressionMut::True,
                __ExpressionForm::False => ExpressionMut::False,
                __ExpressionForm::__Node(__node) => {
                    match __pmem::P::make_mut(__node, tx) {
                        __ExpressionNode::Not { 0: field_0 } => {
                            ExpressionMut::Not { 0: field_0 }
                        }
                        __ExpressionNode::If { pair, tx } => {
                            ExpressionMut::If { pair, tx }
                        }
                    }
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
    }
    #[automatically_derived]
    impl<'a, 'p, T> __pmem::Clone for ExpressionView<'a, 'p, T> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'a, 'p, T> __pmem::Copy for ExpressionView<'a, 'p, T> {}
    impl<'p, T> ExpressionParts<'p, T>
    where
        T: __pmem::Persistent<At<'p> = T>,
    {
        /// Puts the parts together, in a new node if they need one.
        #[must_use]
        fn build(self, __tx: &__pmem::Fase<'p>) -> Expression<'p, T> {
            match self {
                ExpressionParts::True => Expression::true_(),
                ExpressionParts::False => Expression::false_(),
                ExpressionParts::Not { 0: field_0 } => Expression::not(__tx, field_0),
                ExpressionParts::If { pair, tx } => Expression::if_(__tx, pair, tx),
            }
        }
    }
    impl<'a, 'p, T> ExpressionView<'a, 'p, T> {
        const fn __index(self) -> __pmem::isize {
            match self {
                ExpressionView::True { .. } => 0,
                ExpressionView::False { .. } => 1,
                ExpressionView::Not { .. } => 2,
                ExpressionView::If { .. } => 3,
            }
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, T> {
            Expression(&'__a Expression<'p, T>, &'__a Expression<'p, T>, __pmem::u8),
            Tuple0(
                &'__a (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
                &'__a (Expression<'p, T>, T, P<'p, Expression<'p, T>>),
                __pmem::u8,
            ),
        }
        impl<'__a, 'p, T, __O> __pmem::Walk<'__a, __O> for Expression<'p, T>
        where
            __O: __pmem::Comparison,
            __O: __pmem::Compare<T>,
        {
            fn walk(
                __left: &'__a Self,
                __right: &'__a Self,
            ) -> __pmem::Result<(), __pmem::Unequal> {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Expression(__left, __right, 0);
                loop {
                    match __next {
                        __Todo::Expression(__left, __right, __at) => {
                            let __is_same = __O::SAME_NODE_IS_EQUAL && __at == 0
                                && Expression::ptr_eq(__left, __right);
                            if !__is_same {
                                match (__at, __left.view(), __right.view()) {
                                    (_, ExpressionView::True, ExpressionView::True) => {}
                                    (_, ExpressionView::False, ExpressionView::False) => {}
                                    (
                                        _,
                                        ExpressionView::Not { 0: __left_field_0, .. },
                                        ExpressionView::Not { 0: __right_field_0, .. },
                                    ) => {
                                        __todo
                                            .push(
                                                __Todo::Expression(__left_field_0, __right_field_0, 0),
                                            );
                                    }
                                    (
                                        0,
                                        ExpressionView::If { pair: __left_pair, .. },
                                        ExpressionView::If { pair: __right_pair, .. },
                                    ) => {
                                        __todo.push(__Todo::Expression(__left, __right, 1));
                                        __todo.push(__Todo::Tuple0(__left_pair, __right_pair, 0));
                                    }
                                    (
                                        _,
                                        ExpressionView::If { tx: __left_tx, .. },
                                        ExpressionView::If { tx: __right_tx, .. },
                                    ) => {
                                        match (__left_tx, __right_tx) {
                                            (__pmem::Some(__left), __pmem::Some(__right)) => {
                                                __todo.push(__Todo::Expression(__left, __right, 0));
                                            }
                                            (__left, __right) => {
                                                __pmem::in_order(
                                                    __left.is_some() as __pmem::isize,
                                                    __right.is_some() as __pmem::isize,
                                                )?;
                                            }
                                        }
                                    }
                                    (_, __left, __right) => {
                                        __pmem::in_order(__left.__index(), __right.__index())?
                                    }
                                }
                            }
                        }
                        __Todo::Tuple0(__left, __right, 0) => {
                            __todo.push(__Todo::Tuple0(__left, __right, 1));
                            __todo
                                .push(__Todo::Expression((&__left.0), (&__right.0), 0));
                        }
                        __Todo::Tuple0(__left, __right, _) => {
                            <__O as __pmem::Compare<
                                T,
                            >>::compare((&__left.1), (&__right.1))?;
                            __todo
                                .push(
                                    __Todo::Expression(&**(&__left.2), &**(&__right.2), 0),
                                );
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
    impl<'p, T> __pmem::PartialEq for Expression<'p, T>
    where
        T: __pmem::Persistent + __pmem::PartialEq,
    {
        fn eq(&self, __other: &Self) -> __pmem::bool {
            <Self as __pmem::Walk<'_, __pmem::ByEq<false>>>::walk(self, __other).is_ok()
        }
    }
    const _: () = {
        enum __Todo<'__a, 'p, T> {
            Expression(&'__a Expression<'p, T>, __pmem::u8),
            Tuple0(&'__a (Expression<'p, T>, T, P<'p, Expression<'p, T>>), __pmem::u8),
        }
        #[automatically_derived]
        impl<'p, T> __pmem::Hash for Expression<'p, T>
        where
            T: __pmem::Persistent + __pmem::Hash,
        {
            fn hash<__H: __pmem::Hasher>(&self, __state: &mut __H) {
                let mut __todo = __pmem::Vec::new();
                let mut __next = __Todo::Expression(self, 0);
                loop {
                    match __next {
                        __Todo::Expression(__value, __at) => {
                            if __at == 0 {
                                __pmem::Hash::hash(&__value.view().__index(), __state);
                            }
                            match (__at, __value.view()) {
                                (_, ExpressionView::True) => {}
                                (_, ExpressionView::False) => {}
                                (_, ExpressionView::Not { 0: __value_field_0, .. }) => {
                                    __todo.push(__Todo::Expression(__value_field_0, 0));
                                }
                                (0, ExpressionView::If { pair: __value_pair, .. }) => {
                                    __todo.push(__Todo::Expression(__value, 1));
                                    __todo.push(__Todo::Tuple0(__value_pair, 0));
                                }
                                (_, ExpressionView::If { tx: __value_tx, .. }) => {
                                    __pmem::Hash::hash(
                                        &(__value_tx.is_some() as __pmem::isize),
                                        __state,
                                    );
                                    if let __pmem::Some(__value) = __value_tx {
                                        __todo.push(__Todo::Expression(__value, 0));
                                    }
                                }
                            }
                        }
                        __Todo::Tuple0(__value, 0) => {
                            __todo.push(__Todo::Tuple0(__value, 1));
                            __todo.push(__Todo::Expression((&__value.0), 0));
                        }
                        __Todo::Tuple0(__value, _) => {
                            <T as __pmem::Hash>::hash((&__value.1), __state);
                            __todo.push(__Todo::Expression(&**(&__value.2), 0));
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
