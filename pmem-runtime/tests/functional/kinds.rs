//! Every kind of type that the attribute accepts, made, read, taken apart and put together.

use pmem_runtime::{Fase, P, Persistent, Pool, functional, persist_fase};

/// Several variants without a node, several with one, tuples and names, keywords.
#[functional]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Expression<T> {
    True,
    False,
    Not(Expression<T>),
    If { test: (Expression<T>, T, P<Self>), tx: Option<Expression<T>> },
}

/// Types that know each other.
#[functional]
mod family {
    #[derive(Debug, PartialEq)]
    pub(crate) struct Person {
        pub(crate) name: u64,
        pub(crate) children: Children,
    }

    #[derive(Debug, Default, PartialEq)]
    pub(crate) enum Children {
        #[default]
        None,
        Some {
            first: Person,
            rest: Children,
        },
    }
}

/// A type without anything that belongs to a section.
#[functional]
#[derive(Debug, PartialEq)]
struct Point<const N: usize>([u64; N], u32);

/// Fields that all variants have.
#[functional]
enum Shape {
    Circle { area: u64, radius: u32 },
    Square { side: u32, area: u64 },
    Both { left: Shape, right: Shape, area: u64 },
}

#[derive(Persistent, Default)]
#[repr(C)]
struct Root<'p> {
    expression: Option<Expression<'p, u32>>,
    person: Option<family::Person<'p>>,
    point: Option<Point<'p, 3>>,
    shape: Option<Shape<'p>>,
}

/// Runs a section on a fresh pool.
fn within(body: impl for<'f> Fn(&Fase<'f>, &mut Root<'f>)) -> Pool<Root<'static>> {
    let pool = Pool::<Root<'_>>::options().volatile().unwrap();
    persist_fase!(pool, |tx, root| {
        body(tx, root);
        Ok(())
    })
    .unwrap();
    pool
}

#[test]
fn a_handle_is_one_word_where_at_most_one_variant_has_no_node() {
    // If wrong: a tree pays for each child twice.
    assert_eq!(size_of::<family::Children<'_>>(), 8);
    assert_eq!(size_of::<family::Person<'_>>(), 8);
    assert_eq!(size_of::<Option<family::Person<'_>>>(), 8);
    assert_eq!(size_of::<Shape<'_>>(), 8);
    assert_eq!(size_of::<Expression<'_, u64>>(), 16);
}

#[test]
fn variants_without_fields_cost_no_node() {
    // If wrong: an empty tree allocates.
    let pool = within(|tx, root| {
        let test = (Expression::true_(), 7, P::new(tx, Expression::false_()));
        root.expression = Some(Expression::if_(tx, test, Some(Expression::false_())));
    });
    // The root, the `If`, and the user's own `P`.
    assert_eq!(pool.check().unwrap().nodes, 3);
    let now = pool.snapshot();
    let expression = now.expression.as_ref().unwrap();
    assert!(expression.is_if() && !expression.is_true());
    let ExpressionView::If { test, tx } = expression.view() else { panic!("it is an `If`") };
    assert!(test.0.is_true() && test.2.is_false() && tx.as_ref().is_some_and(Expression::is_false));
    assert_eq!(
        format!("{expression:?}"),
        "If { test: (True, 7, False), tx: Some(False) }",
        "as the derive prints it"
    );
}

#[test]
fn parts_put_together_are_what_was_taken_apart() {
    // If wrong: a method that matches on parts and gives the rest back changes it.
    let pool = within(|tx, root| {
        let not = Expression::not(tx, Expression::true_());
        let whole = not.share(tx).take(tx).build(tx);
        assert!(!Expression::ptr_eq(&whole, &not), "a shared node is not moved out of");
        assert_eq!(whole, not);
        drop(not);
        root.expression = Some(whole.take(tx).build(tx));
        root.point = Some(Point::new(tx, [1, 2, 3], 4).take(tx).build(tx));
    });
    assert_eq!(pool.check().unwrap().nodes, 3);
    let now = pool.snapshot();
    assert_eq!(format!("{:?} {:?}", now.expression, now.point), "Some(Not(True)) Some(Point([1, 2, 3], 4))");
}

#[test]
fn types_of_a_module_hold_each_other() {
    // If wrong: only one type at a time can be functional.
    let pool = within(|tx, root| {
        let mut children = family::Children::default();
        for name in 0..3 {
            let child = family::Person::new(tx, name, family::Children::none());
            children = family::Children::some(tx, child, children);
        }
        let parent = family::Person::new(tx, 9, children);
        assert_eq!(parent, parent.share(tx));
        root.person = Some(parent.with_name(tx, 10));
    });
    assert_eq!(pool.check().unwrap().nodes, 8);
    let now = pool.snapshot();
    let person = now.person.as_ref().unwrap();
    assert_eq!(*person.name(), 10);
    let family::ChildrenView::Some { first, rest } = person.children().view() else { panic!("three") };
    assert_eq!((*first.name(), rest.is_some()), (2, true));
}

#[test]
fn a_field_of_all_variants_is_read_and_replaced_in_each() {
    // If wrong: a getter reads another variant's field, or an updater changes the variant.
    let pool = within(|tx, root| {
        let circle = Shape::circle(tx, 3, 1).with_area(tx, 30);
        let square = Shape::square(tx, 4, 16);
        assert_eq!((*circle.area(), *square.area()), (30, 16));
        let both = Shape::both(tx, circle, square, 46);
        let before = both.share(tx);
        let mut after = both.with_area(tx, 47);
        if let ShapeMut::Both { left, .. } = after.make_mut(tx)
            && let ShapeMut::Circle { radius, .. } = left.make_mut(tx)
        {
            *radius = 2;
        }
        assert_eq!(*before.area(), 46);
        root.shape = Some(after);
    });
    assert_eq!(pool.check().unwrap().nodes, 4);
    let now = pool.snapshot();
    let ShapeView::Both { left, right, area: 47 } = now.shape.as_ref().unwrap().view() else {
        panic!("it is both")
    };
    assert!(matches!(left.view(), ShapeView::Circle { area: 30, radius: 2 }));
    assert!(matches!(right.view(), ShapeView::Square { side: 4, area: 16 }));
}
