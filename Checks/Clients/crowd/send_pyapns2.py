"""Sends COUNT pushes with PyAPNs2, as a batch on one connection."""
import collections, collections.abc, os, ssl

# The library it stands on, hyper, is older than Python 3.10.
for name in ("Iterable", "Mapping", "MutableMapping", "MutableSet"):
    setattr(collections, name, getattr(collections.abc, name))

from apns2.client import APNsClient, Notification, NotificationType
from apns2.credentials import TokenCredentials
from apns2.payload import Payload
from hyper import HTTP20Connection


class Credentials(TokenCredentials):
    def create_connection(self, server, port, proto, proxy_host=None, proxy_port=None):
        context = ssl.create_default_context(cafile=os.environ["ROOT"])
        context.set_alpn_protocols(["h2"])
        return HTTP20Connection(server, port, secure=True, ssl_context=context, force_proto="h2")


class Client(APNsClient):
    SANDBOX_SERVER, ALTERNATIVE_PORT = "localhost", int(os.environ["PORT"])
    accepted = 0

    def get_notification_result(self, stream_id):
        result = super().get_notification_result(stream_id)
        self.accepted += result == "Success"
        return result


client = Client(Credentials(os.environ["P8"], "ABCDE12345", "FGHIJ67890"), use_sandbox=True, use_alternative_port=True)
tokens = os.environ["TOKENS"].split()
pushes = [Notification(tokens[number % len(tokens)], Payload(alert=f"push {number}"))
          for number in range(int(os.environ["COUNT"]))]
client.send_notification_batch(pushes, topic="com.example.app", push_type=NotificationType.Alert)
print(client.accepted, "accepted")
