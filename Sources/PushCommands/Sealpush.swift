extension Program {
  /// The tool that holds private keys, and needs no network.
  package static let sealpush: Program = .init(
    name: "sealpush",
    commands: [
      .demo, .keysNew, .keysAdd, .keysExport, .keysImport, .keysList, .keysRotate, .keysRevoke, .keysPrune,
      .keysDoctor, .keysPassphrase, .keysEnrol, .keysAccept, .keysConfirm, .keysForget, .keysReport,
      .keysSignSenders, .vectorsVerify, .seal, .open, .simulate, .inspect, .lint, .log, .attachSeal,
      .attachOpen, .doctor, .config,
      .completions { Program.sealpush.commands }, .man { Program.sealpush.commands },
    ],
    notes: """
      sealpush COMMAND --help, or sealpush help COMMAND, explains a command. Results are on standard output,
      everything else on standard error; with --quiet (-q), there is no good news. - is standard input or
      output. sealpush.json can have defaults for --topic, --from and --senders: see sealpush config --help.
      Exit status: 0 done, 1 failed, 64 usage, 65 bad or inauthentic data, 66 no input, 73 cannot create,
      75 pending, 77 permissions.

      """)
}
