"""Sends COUNT pushes with aioapns, as many at a time as it likes."""
import asyncio, os, pathlib, ssl

import aioapns
from aioapns.connection import APNsDevelopmentClientProtocol


async def main():
    APNsDevelopmentClientProtocol.APNS_SERVER = "localhost"
    APNsDevelopmentClientProtocol.APNS_PORT = int(os.environ["PORT"])
    client = aioapns.APNs(
        key=pathlib.Path(os.environ["P8"]).read_text(), key_id="ABCDE12345", team_id="FGHIJ67890", topic="com.example.app",
        use_sandbox=True, max_connections=2, ssl_context=ssl.create_default_context(cafile=os.environ["ROOT"]))
    tokens = os.environ["TOKENS"].split()
    results = await asyncio.gather(*(
        client.send_notification(aioapns.NotificationRequest(
            device_token=tokens[number % len(tokens)], message={"aps": {"alert": f"push {number}"}},
            push_type=aioapns.PushType.ALERT))
        for number in range(int(os.environ["COUNT"]))))
    print(sum(result.is_successful for result in results), "accepted")


asyncio.run(main())
