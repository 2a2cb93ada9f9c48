struct Account<'p> {
    #[persistent(volatil)]
    owner: &'p str,
}
