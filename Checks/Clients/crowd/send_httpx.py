"""Sends COUNT pushes with httpx, a hundred at a time."""
import asyncio, os, pathlib, ssl, time

import httpx, jwt


async def main():
    token = jwt.encode({"iss": "FGHIJ67890", "iat": int(time.time())}, pathlib.Path(os.environ["P8"]).read_text(), "ES256",
                       {"kid": "ABCDE12345"})
    headers = {"authorization": f"bearer {token}", "apns-topic": "com.example.app", "apns-push-type": "alert"}
    context = ssl.create_default_context(cafile=os.environ["ROOT"])
    tokens = os.environ["TOKENS"].split()
    url = f"https://localhost:{os.environ['PORT']}/3/device/"
    async with httpx.AsyncClient(http2=True, verify=context, timeout=60, limits=httpx.Limits(max_connections=1)) as client:
        async def push(number):
            answer = await client.post(
                url + tokens[number % len(tokens)], headers=headers, json={"aps": {"alert": f"push {number}"}})
            return answer.status_code == 200

        # APNs allows one stream until it has seen a token.
        accepted = [await push(0)]
        for first in range(1, int(os.environ["COUNT"]), 100):
            last = min(first + 100, int(os.environ["COUNT"]))
            accepted += await asyncio.gather(*(push(number) for number in range(first, last)))
    print(sum(accepted), "accepted")


asyncio.run(main())
