"""Sends what is sealed for Android through Google's FCM: its HTTP v1 API, with the standard library of Python 3.11 alone.

    fcm = FCM("my-project", access_token)
    for request in requests(line):    # a line of `sealpush seal --lines`
        fcm.send(request)

A request is the body of a call, {"message":{"token":…,"android":{…},"data":{…}}}, and goes out as it is.
"""
import json, urllib.error, urllib.request


class FCMError(Exception):
    """Why FCM did not take a message; `code` is Google's."""

    def __init__(self, code, status):
        super().__init__(f"{code} ({status})")
        self.code, self.status = code, status


class Unregistered(FCMError):
    """The app is gone from the device. `sealpush keys forget --service fcm --token-file FILE` forgets its token."""


class Later(FCMError):
    """FCM is busy. Seal the job again, with the same message ID, after `seconds`."""

    def __init__(self, code, status, seconds):
        super().__init__(code, status)
        self.seconds = seconds


class FCM:
    """A project's messages.

    `access_token` is called for each message, and returns an OAuth 2.0 access token for the scope
    https://www.googleapis.com/auth/firebase.messaging, which `google-auth` or your cloud gives. Let it keep a token until
    that ends.
    """

    def __init__(self, project, access_token, server="https://fcm.googleapis.com", timeout=10):
        self.address = f"{server}/v1/projects/{project}/messages:send"
        self.access_token, self.timeout = access_token, timeout

    def send(self, request):
        """Sends a message, and returns the name that FCM gives to it. Raises `FCMError`, or `OSError` without an answer."""
        headers = {"Authorization": f"Bearer {self.access_token()}", "Content-Type": "application/json; charset=UTF-8"}
        call = urllib.request.Request(self.address, json.dumps(request).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(call, timeout=self.timeout) as answer:
                return json.load(answer)["name"]
        except urllib.error.HTTPError as error:
            with error:
                raise refusal(error.code, error.headers.get("Retry-After"), error.read(65_536)) from None


def refusal(status, retry_after, body):
    """What an answer other than 200 means."""
    try:
        error = json.loads(body)["error"]
        codes = [detail["errorCode"] for detail in error.get("details", []) if "errorCode" in detail]
        code = codes[0] if codes else error["status"]
    except (ValueError, KeyError, TypeError):
        code = "UNKNOWN"
    if code == "UNREGISTERED":
        return Unregistered(code, status)
    if status == 429 or status >= 500:
        return Later(code, status, int(retry_after) if str(retry_after).isdecimal() else 60)
    return FCMError(code, status)


def requests(line):
    """The messages for FCM in a line of `sealpush seal --lines`; those for APNs in it go to your client of APNs."""
    answer = json.loads(line)
    pushes = answer.get("pushes", [answer])
    # A push that was not sealed has an "error", whose "message" is a sentence.
    return [{"message": push["message"]} for push in pushes if push.get("service") == "fcm" and "error" not in push]
