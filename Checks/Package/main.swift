import PushSealer

let device = try KeySet(generating: .device)
let sealer = Sealer(topic: try Topic("com.example.app"))
let push = try sealer.seal(RemoteNotification(body: "Lunch at noon?"), to: device.publicKeys.recipient())
print("sealed \(push.payload.count) bytes")
