#[functional]
#[derive(PartialEq, Hash)]
enum Expression<T> {
    True,
    False,
    Not(Expression<T>),
    If { pair: (Expression<T>, T, P<Self>), tx: Option<Expression<T>> },
}
