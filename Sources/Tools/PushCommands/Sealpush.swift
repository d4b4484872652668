extension Program {
  /// The tool that holds private keys, and needs no network.
  package static let sealpush: Program = .init(
    name: "sealpush",
    commands: [
      .demo, .keysNew, .keysAdd, .keysExport, .keysImport, .keysList, .keysRotate, .keysRevoke, .keysPrune,
      .keysDoctor, .keysPassphrase, .keysEnrol, .keysLeave, .keysAccept, .keysConfirm, .keysForget,
      .keysReport,
      .keysSignSenders, .vectorsVerify, .seal, .open, .simulate, .inspect, .lint, .log, .attachSeal,
      .attachOpen, .doctor, .config,
      .completions(of: "sealpush") { .sealpush }, .man(of: "sealpush") { .sealpush },
    ],
    notes: """
      sealpush COMMAND --help, or sealpush help COMMAND, explains a command. Results are on standard output,
      everything else on standard error; with --quiet (-q), success prints nothing. A file named - is standard
      input or output. sealpush.json can have defaults for some options: see sealpush config --help. Exit status:
      0 done, 1 failed, 64 usage, 65 bad or inauthentic data, 66 no input, 73 cannot create, 75 pending,
      77 permissions.

      """,
    manual: ManualText(
      description: """
        seals a notification to a device's key, so that Apple and every relay see a placeholder and ciphertext, and opens it
        as the device does. It makes keys, rotates them and destroys them. It never uses the network.
        """,
      security: """
        A key file must belong to its user, and nobody else may have access to it. A file that is only read may belong
        to root, and be readable to its group. Passphrases and keys are read from files, from descriptors or from the
        terminal: no option takes one as its value, and no error shows one. The only key that is ever printed is that
        of an attachment's blob, in its descriptor:
        .B attach seal
        prints the descriptor unless
        .B \\-\\-descriptor
        names a file, and
        .B open
        prints it in the message.
        """,
      others: """
        .BR openssl (1),
        .BR curl (1)
        """))
}
