//! Expressions with variables: evaluated, simplified, and differentiated. What stays the same is shared, not copied.

use pmem_runtime::{Fase, Pool, functional, persist_fase};
use {ExpressionParts as Parts, ExpressionView as View};

#[functional]
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Expression {
    #[default]
    Zero,
    One,
    Number(i64),
    Variable(u8),
    Negate(Expression),
    Add(Expression, Expression),
    Multiply(Expression, Expression),
}

#[functional]
impl Expression {
    /// A number, without a node if it is small.
    pub(crate) fn of(tx: &Fase, number: i64) -> Self {
        match number {
            0 => Expression::zero(),
            1 => Expression::one(),
            _ => Expression::number(tx, number),
        }
    }

    pub(crate) fn evaluate(&self, variables: &[i64]) -> i64 {
        match self.view() {
            View::Zero => 0,
            View::One => 1,
            View::Number(number) => *number,
            View::Variable(index) => variables[usize::from(*index)],
            View::Negate(inner) => inner.evaluate(variables).wrapping_neg(),
            View::Add(left, right) => left.evaluate(variables).wrapping_add(right.evaluate(variables)),
            View::Multiply(left, right) => left.evaluate(variables).wrapping_mul(right.evaluate(variables)),
        }
    }

    /// The number that it is, if it is one.
    fn constant(&self) -> Option<i64> {
        matches!(self.view(), View::Zero | View::One | View::Number(_)).then(|| self.evaluate(&[]))
    }

    pub(crate) fn simplify(self, tx: &Fase) -> Self {
        match self.take(tx) {
            Parts::Negate(inner) => {
                let inner = inner.simplify(tx);
                match (inner.constant(), inner.view()) {
                    (Some(number), _) => Self::of(tx, number.wrapping_neg()),
                    (_, View::Negate(twice)) => twice.share(tx),
                    _ => Expression::negate(tx, inner),
                }
            }
            Parts::Add(left, right) => {
                let (left, right) = (left.simplify(tx), right.simplify(tx));
                match (left.constant(), right.constant()) {
                    (Some(one), Some(two)) => Self::of(tx, one.wrapping_add(two)),
                    (Some(0), _) => right,
                    (_, Some(0)) => left,
                    _ => Expression::add(tx, left, right),
                }
            }
            Parts::Multiply(left, right) => {
                let (left, right) = (left.simplify(tx), right.simplify(tx));
                match (left.constant(), right.constant()) {
                    (Some(one), Some(two)) => Self::of(tx, one.wrapping_mul(two)),
                    (Some(0), _) | (_, Some(0)) => Expression::zero(),
                    (Some(1), _) => right,
                    (_, Some(1)) => left,
                    _ => Expression::multiply(tx, left, right),
                }
            }
            other => other.build(tx),
        }
    }

    /// The derivative by a variable, with the factors of products shared.
    pub(crate) fn derive(&self, tx: &Fase, by: u8) -> Self {
        match self.view() {
            View::Variable(index) if *index == by => Expression::one(),
            View::Negate(inner) => Expression::negate(tx, inner.derive(tx, by)),
            View::Add(left, right) => Expression::add(tx, left.derive(tx, by), right.derive(tx, by)),
            View::Multiply(left, right) => {
                let one = Expression::multiply(tx, left.derive(tx, by), right.share(tx));
                let two = Expression::multiply(tx, left.share(tx), right.derive(tx, by));
                Expression::add(tx, one, two)
            }
            _ => Expression::zero(),
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let pool = Pool::<[Expression<'_>; 2]>::options().create(folder.path().join("expression.pool"))?;
    persist_fase!(pool, |tx, root| {
        let x = || Expression::variable(tx, 0);
        let cube = Expression::multiply(tx, Expression::multiply(tx, x(), x()), x());
        let given = Expression::add(tx, cube, Expression::multiply(tx, Expression::zero(), x()));
        *root = [given.derive(tx, 0).simplify(tx), given];
        Ok(())
    })?;
    let [made, given] = &*pool.snapshot();
    assert!((-10..10).all(|x| given.evaluate(&[x]) == x * x * x && made.evaluate(&[x]) == 3 * x * x));
    println!("{given:?}\nhas the derivative\n{made:?}");
    Ok(())
}
