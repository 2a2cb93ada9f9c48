use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::TestCaseError;

use pmem_derive::Persistent;

use crate::persist::{Array, Counts, Head, Lens};
use crate::{Fase, FaseError, P, Pool, persist_fase};

/// An item with padding and a pointer.
#[derive(Persistent)]
#[repr(C)]
struct Item<'p> {
    tag: u8,
    value: u32,
    owner: Option<P<'p, u64>>,
}

type Raw<'p> = Array<'p, Lens, Item<'p>, Node<'p>, u16>;

#[derive(Persistent)]
#[repr(transparent)]
struct Node<'p>(Raw<'p>);

#[derive(Persistent)]
#[repr(C)]
struct World<'p> {
    node: Node<'p>,
    kept: Option<Node<'p>>,
}

/// What a node should be.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    items: Vec<(u8, u32, Option<u64>)>,
    children: Vec<Model>,
    extras: Vec<u16>,
}

impl Model {
    fn of(node: &Node<'_>) -> Model {
        let item = |item: &Item<'_>| (item.tag, item.value, item.owner.as_ref().map(|owner| **owner));
        Model {
            items: node.0.items().iter().map(item).collect(),
            children: node.0.children().iter().map(Model::of).collect(),
            extras: node.0.extras().to_vec(),
        }
    }

    fn head(&self) -> Lens {
        Lens { mark: 7, ..Lens::EMPTY }.with(Counts {
            items: self.items.len(),
            children: self.children.len(),
            extras: self.extras.len(),
        })
    }
}

#[derive(Clone, Debug)]
enum Step {
    InsertItem(usize, u8, Option<u64>),
    RemoveItem(usize),
    EditItem(usize, u32),
    InsertChild(usize),
    RemoveChild(usize),
    IntoChild(usize),
    SetExtras(Vec<u16>),
    SplitAndAppend(usize, usize, usize),
    TakeAndRebuild,
    Keep,
    Restore,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (any::<usize>(), any::<u8>(), any::<Option<u64>>())
            .prop_map(|(at, tag, owner)| Step::InsertItem(at, tag, owner)),
        3 => any::<usize>().prop_map(Step::RemoveItem),
        3 => (any::<usize>(), any::<u32>()).prop_map(|(at, value)| Step::EditItem(at, value)),
        3 => any::<usize>().prop_map(Step::InsertChild),
        2 => any::<usize>().prop_map(Step::RemoveChild),
        2 => any::<usize>().prop_map(Step::IntoChild),
        2 => proptest::collection::vec(any::<u16>(), 0..20).prop_map(Step::SetExtras),
        2 => (any::<usize>(), any::<usize>(), any::<usize>())
            .prop_map(|(items, children, extras)| Step::SplitAndAppend(items, children, extras)),
        1 => proptest::strategy::Just(Step::TakeAndRebuild),
        2 => proptest::strategy::Just(Step::Keep),
        1 => proptest::strategy::Just(Step::Restore),
    ]
}

fn leaf<'f>(tx: &Fase<'f>) -> Node<'f> {
    Node(Array::with_room(tx, Lens { mark: 7, ..Lens::EMPTY }, Counts::default()))
}

/// Does the step to a node and to its model, which agree before and after.
fn apply<'f>(tx: &Fase<'f>, world: &mut World<'f>, model: &mut Model, kept: &mut Option<Model>, step: &Step) {
    let node = &mut world.node.0;
    match step {
        Step::InsertItem(at, tag, owner) => {
            let at = at % (model.items.len() + 1);
            model.items.insert(at, (*tag, 9, *owner));
            let item = Item { tag: *tag, value: 9, owner: owner.map(|owner| P::new(tx, owner)) };
            node.insert_item(tx, at, item, model.head());
        }
        Step::RemoveItem(at) if !model.items.is_empty() => {
            let at = at % model.items.len();
            let expected = model.items.remove(at);
            let found = node.remove_item(tx, at, model.head());
            assert_eq!((found.tag, found.value, found.owner.as_ref().map(|owner| **owner)), expected);
        }
        Step::EditItem(at, value) if !model.items.is_empty() => {
            let at = at % model.items.len();
            model.items[at].1 = *value;
            node.edit(tx).items[at].value = *value;
        }
        Step::InsertChild(at) => {
            let at = at % (model.children.len() + 1);
            model.children.insert(at, Model::default());
            node.insert_child(tx, at, leaf(tx), model.head());
        }
        Step::RemoveChild(at) if !model.children.is_empty() => {
            let at = at % model.children.len();
            model.children.remove(at);
            drop(node.remove_child(tx, at, model.head()));
        }
        Step::IntoChild(at) if !model.children.is_empty() => {
            let at = at % model.children.len();
            model.children[at].items.push((1, 2, Some(3)));
            let item = Item { tag: 1, value: 2, owner: Some(P::new(tx, 3)) };
            let child = &mut node.edit(tx).children[at].0;
            child.insert_item(tx, child.counts().items, item, model.children[at].head());
        }
        Step::SetExtras(extras) => {
            model.extras.clone_from(extras);
            node.set_extras(tx, extras, model.head());
        }
        Step::SplitAndAppend(items, children, extras) => {
            let counts = node.counts();
            let at = Counts {
                items: items % (counts.items + 1),
                children: children % (counts.children + 1),
                extras: extras % (counts.extras + 1),
            };
            let mark = Lens { mark: 7, ..Lens::EMPTY };
            let rest = node.split_off(tx, at, mark.with(at), mark.with(counts.minus(at)));
            assert_eq!((node.counts(), rest.counts()), (at, counts.minus(at)));
            node.append(tx, rest, model.head());
        }
        Step::TakeAndRebuild => {
            let (head, items, children, extras) = std::mem::replace(node, leaf(tx).0).take(tx);
            assert_eq!(head, model.head());
            let mut so_far = Model { extras, ..Model::default() };
            node.set_extras(tx, &so_far.extras, so_far.head());
            for (at, child) in children.into_iter().enumerate() {
                so_far.children.push(model.children[at].clone());
                node.insert_child(tx, at, child, so_far.head());
            }
            for (at, item) in items.into_iter().enumerate() {
                so_far.items.push(model.items[at]);
                node.insert_item(tx, at, item, so_far.head());
            }
        }
        Step::Keep => {
            world.kept = Some(tx.share(&world.node));
            *kept = Some(model.clone());
        }
        Step::Restore => {
            if let (Some(node), Some(old)) = (&world.kept, &kept) {
                world.node = tx.share(node);
                *model = old.clone();
            }
        }
        _ => {}
    }
}

/// Gives back all that is retired, so that counts and lines are exact.
fn settle(pool: &Pool<World<'static>>) {
    let core = pool.core();
    let mut writer = core.writer.lock().unwrap();
    let writer = writer.as_mut().unwrap();
    writer.checkpoint(core).unwrap();
    writer.reclaim(core, usize::MAX);
}

proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 64, ..Default::default() })]

    /// If this failed, a collection could lose elements, own one twice, or see a kept version change.
    #[test]
    fn array_nodes_hold_what_sections_put_there(
        sections in proptest::collection::vec(
            (proptest::collection::vec(step(), 1..12), any::<bool>()),
            1..24,
        )
    ) {
        let pool = Pool::<World<'static>>::options()
            .volatile_with(|tx| World { node: leaf(tx), kept: None })
            .unwrap();
        let (mut model, mut kept) = (Model::default(), None);
        for (steps, aborts) in sections {
            let result = persist_fase!(pool, |tx, world| -> Result<_, FaseError> {
                let (mut model, mut kept) = (model.clone(), kept.clone());
                for step in &steps {
                    apply(tx, world, &mut model, &mut kept, step);
                    assert_eq!(Model::of(&world.node), model);
                }
                if aborts {
                    return Err(FaseError::message("undone".to_owned()));
                }
                Ok((model, kept))
            });
            if let Ok(after) = result {
                (model, kept) = after;
            }
            let now = pool.snapshot();
            prop_assert_eq!(&Model::of(&now.node), &model);
            prop_assert_eq!(&now.kept.as_ref().map(Model::of), &kept);
            drop(now);
            settle(&pool);
            let report = pool.check().map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(report.refcounts_off == 0 && report.unreachable_lines == 0, "{report:?}");
        }
    }
}

/// If this failed, what a program removed would go on to lie behind the elements on the medium.
#[test]
fn room_is_zero_when_it_is_committed() {
    let pool = Pool::<Array<'static, Lens, u64>>::options()
        .volatile_with(|tx| Array::with_room(tx, Lens::EMPTY, Counts::default()))
        .unwrap();
    let head = |items| Lens { items, ..Lens::EMPTY };
    persist_fase!(pool, |tx, node| -> Result<(), FaseError> {
        node.splice_items(tx, 0, 0, &[u64::MAX; 20], head(20));
        node.splice_items(tx, 1, 19, &[], head(2));
        Ok(())
    })
    .unwrap();
    let nodes = pool.nodes().unwrap();
    let node = nodes.iter().find(|node| node.type_name.starts_with("ArrayNode")).unwrap();
    let bytes = pool.node_bytes(node.offset).unwrap();
    assert_eq!(bytes[12..20], [2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[20..36], [0xFF; 16]);
    assert!(bytes[36..].iter().all(|byte| *byte == 0) && bytes.len() > 150, "{bytes:?}");
}

/// If this failed, a thousand insertions in one section would copy a node a thousand times.
#[test]
fn a_section_edits_its_own_node_in_place() {
    let pool = Pool::<Array<'static, Lens, u64>>::options()
        .volatile_with(|tx| Array::with_room(tx, Lens::EMPTY, Counts::default()))
        .unwrap();
    let address = persist_fase!(pool, |tx, node| -> Result<Vec<u64>, FaseError> {
        let mut addresses = Vec::new();
        for items in 1..=6 {
            node.insert_item(tx, 0, 5, Lens { items, ..Lens::EMPTY });
            addresses.push(node.address());
        }
        Ok(addresses)
    });
    let addresses = address.unwrap();
    assert!(addresses.iter().take(5).all(|address| *address == addresses[0]), "{addresses:?}");
    assert_ne!(addresses[5], addresses[0], "a sixth word does not fit one line with a head");
}
