private import PushCommands

/// The server's tool: what needs a network.
@main
enum Sealpushd {
  static func main() async { await Program.sealpushd.main() }
}

extension Program {
  fileprivate static let sealpushd: Program = .init(
    name: "sealpushd",
    commands: [
      .send, .enqueue, .cancel, .pause, .resume, .rate, .page, .work, .serve, .check, .queue, .queueDead,
      .queueResend, .queueDelete,
      .queueOutcome,
      .devices,
      .devicesImport,
      .devicesExport,
      .devicesReport, .devicesAccept, .devicesRelease, .devicesRemove, .devicesForget, .storeBackup,
      .storeCheck, .storeKey, .storeSeal, .apns,
      .demo,
      .completions(of: "sealpushd") { .sealpushd }, .man(of: "sealpushd") { .sealpushd },
    ],
    notes: """
      sealpushd COMMAND --help, or sealpushd help COMMAND, explains a command. Commands that need no network are in
      sealpush. Exit status: 0 done, 1 failed, 64 usage, 65 bad data, or a push or device that APNs refuses,
      66 no input, 73 cannot create, 75 not delivered yet, 77 permissions, or a key that APNs refuses.

      """,
    manual: ManualText(
      description: """
        seals notifications and sends them through APNs: one by one, or as a worker that delivers what applications insert
        into a store. It also manages the store, and can play APNs and phones for tests.
        """,
      statuses: [
        .badData:
          "The input is malformed or not authentic, the store is damaged, or APNs refuses a push or a device.",
        .pending:
          "Not yet: APNs or the store cannot be reached, or the device has yet to prove a new key or token.",
        .noPermission:
          "Others have access to a private file, the store may only be read, or APNs refuses the team's key.",
      ],
      environment: """
        .TP
        .BR PGPASSFILE ", " PGPASSWORD
        The password of a PostgreSQL store, which no option takes: the path of a file that has it, or the password. libpq
        reads these, and its other variables.

        """,
      security: """
        A key file must belong to its user, and nobody else may have access to it. A file that is only read may belong
        to root, and be readable to its group. Passphrases, keys and passwords are read from files, from descriptors
        or from the terminal: no option takes one as its value, and no error, log or metric shows one. A store has
        device tokens and, until they are delivered, what notifications say; it has no private key. A row key, which is in
        a file outside the store, shows whether somebody has changed a device's row.
        """,
      others: """
        .BR sealpush (1)
        """))
}
