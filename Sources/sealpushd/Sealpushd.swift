private import PushCommands

/// The server's tool: what needs a network.
@main
enum Sealpushd {
  static func main() async {
    await Program(
      name: "sealpushd",
      commands: [
        .send, .enqueue, .work, .queue, .queueDead, .queueResend, .queueDelete, .devices, .devicesImport,
        .devicesAccept, .devicesRelease, .devicesForget, .storeBackup, .storeCheck, .apns, .demo,
      ],
      notes: """
        sealpushd COMMAND --help, or sealpushd help COMMAND, explains a command. What needs no network is in
        sealpush. Exit status: 0 done, 1 failed, 64 usage, 65 bad data, or a push or device that APNs refuses,
        66 no input, 73 cannot create, 75 not delivered for now, 77 permissions, or a key that APNs refuses.

        """
    ).main()
  }
}
