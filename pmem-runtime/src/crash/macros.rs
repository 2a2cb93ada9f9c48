//! `crash_test!`: the tests of one model.

/// Makes a module of tests that attack a [`Model`](crate::crash::Model): `crash_test!(bank, Twin);`
///
/// The model is named by a path that begins in the place of the call. There is one test for each
/// [`Exploration`](crate::crash::Exploration). Each prints what it tried (`cargo test -- --nocapture`), and panics with an
/// explanation of the first wrong state. The variables of [`Plan::from_environment`](crate::crash::Plan::from_environment)
/// change seed, number of states and models, and replay one state.
///
/// It needs the feature `crash-test` of `pmem-runtime`, best among the `dev-dependencies`.
#[macro_export]
macro_rules! crash_test {
    ($name:ident, $($model:ident)::+ $(,)?) => {
        mod $name {
            $crate::crash_test! { @tests $name, super::$($model)::+;
                every_short_sequence ShortSequences,
                long_runs LongRuns,
                crashes_in_recovery Recovery,
                other_media OtherMedia,
                buffered_sections Buffered,
                two_threads TwoThreads,
                process_death ProcessDeath,
                failing_syncs FailingSyncs,
                refused_growth RefusedGrowth,
            }
        }
    };
    (@tests $name:ident, $model:path; $($test:ident $exploration:ident,)+) => {
        $(
            #[test]
            fn $test() {
                $crate::crash::Plan::from_environment(concat!(stringify!($name), "::", stringify!($test)))
                    .test::<$model>($crate::crash::Exploration::$exploration);
            }
        )+
    };
}
