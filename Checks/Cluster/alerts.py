"""alerts.py PROMTOOL: each alert of deploy/prometheus/rules.yaml fires when it should, and not when it should not.

promtool checks the rules and runs the tests, which are made from the table below: for each alert, series with which it fires,
and series with which it does not, although something similar is so. A row says at what time that is looked at, in minutes.
`a+bxN` is a value that grows by b in each of N minutes, and `_xN` are minutes without a value.
"""
import json, pathlib, subprocess, sys, tempfile

from ruamel.yaml import YAML

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

RULES = ROOT / "deploy/prometheus/rules.yaml"
ONE, TWO = 'job="sealpush",instance="one"', 'job="sealpush",instance="two"'


def both(name, values, other=None, labels=""):
    """A metric of two workers."""
    more = f",{labels}" if labels else ""
    return {f"{name}{{{ONE}{more}}}": values, f"{name}{{{TWO}{more}}}": other or values}


def one(name, values, labels=""):
    return {f"{name}{{{ONE}{',' if labels else ''}{labels}}}": values}


# The alert: when, the series that it fires with, those that it does not, its labels, and its summary if it has a value.
TESTS = {
    "SealedPushNoWorker": (5, both("up", "0x20"), both("up", "0x20", "1x20"), {}, None),
    "SealedPushWorkerDown": (
        8, both("up", "1x20", "0x20"), both("up", "1x20", "0 0 0 0 1x20"), {"job": "sealpush", "instance": "two"},
        "The worker two cannot be scraped"),
    "SealedPushStoreDown": (5, both("sealpush_store_up", "0x20"), both("sealpush_store_up", "0x20", "1x20"), {}, None),
    "SealedPushStoreFailing": (
        30, both("sealpush_store_failures_total", "0+6x60"), one("sealpush_store_failures_total", "0x9 20x60"), {}, None),
    "SealedPushJobsLate": (
        10, both("sealpush_queue_oldest_ready_seconds", "420x30"),
        both("sealpush_queue_oldest_ready_seconds", "290x30", "310 310 10x30"), {}, "The oldest ready job has waited for 7m 0s"),
    "SealedPushRetriesMany": (
        30, {**both("sealpush_jobs_retried_total", "0+20x60"), **both("sealpush_jobs_claimed_total", "0+100x60")},
        {**both("sealpush_jobs_retried_total", "0+20x60"), **both("sealpush_jobs_claimed_total", "0+900x60")}, {}, None),
    "SealedPushDeadLetters": (
        90, both("sealpush_queue_jobs", "3x60 5x60", labels='state="dead"'),
        {**both("sealpush_queue_jobs", "9x30 5x90", labels='state="dead"'),
         **both("sealpush_queue_jobs", "3x60 5x60", labels='state="ready"')},
        {}, "Jobs were given up within the last hour: 2 more dead letters"),
    "SealedPushKeyRefused": (
        20, one("sealpush_apns_refused_total", "_x15 1x10", 'reason="InvalidProviderToken"'),
        {**one("sealpush_apns_refused_total", "4x60", 'reason="Forbidden"'),
         **one("sealpush_apns_refused_total", "0+9x60", 'reason="BadDeviceToken"')},
        {"reason": "InvalidProviderToken"}, "APNs refuses the team's key (InvalidProviderToken)"),
    "SealedPushRouteStopped": (
        15, both("sealpush_routes_stopped", "0x30", "1x30"),
        both("sealpush_routes_stopped", "0x30", "1 1 1 0x30"), {}, None),
    "SealedPushPausedLong": (
        780, both("sealpush_pauses", "0x30 1x900", "1x930"), both("sealpush_pauses", "1x300 0x30 1x600"), {}, None),
    "SealedPushAPNsUnreachable": (
        30, {**both("sealpush_apns_failed_connections_total", "0+3x60"), **both("sealpush_apns_accepted_total", "900x60")},
        {**both("sealpush_apns_failed_connections_total", "0+3x60"),
         **both("sealpush_apns_accepted_total", "900x60", "900+5x60")}, {}, None),
    "SealedPushAPNsSilent": (
        30, {**both("sealpush_apns_unknown_total", "0+20x60"), **both("sealpush_apns_sent_total", "0+100x60")},
        {**both("sealpush_apns_unknown_total", "0+5x60"), **both("sealpush_apns_sent_total", "0+100x60")}, {}, None),
    "SealedPushAPNsSlow": (
        30, {**both("sealpush_apns_answer_seconds_bucket", "0+50x60", labels='le="8"'),
             **both("sealpush_apns_answer_seconds_bucket", "0+100x60", labels='le="16"'),
             **both("sealpush_apns_answer_seconds_bucket", "0+100x60", labels='le="+Inf"')},
        {**both("sealpush_apns_answer_seconds_bucket", "0+100x60", labels='le="8"'),
         **both("sealpush_apns_answer_seconds_bucket", "0+100x60", labels='le="16"'),
         **both("sealpush_apns_answer_seconds_bucket", "0+100x60", labels='le="+Inf"')}, {}, None),
    "SealedPushTokensRefused": (
        90, one("sealpush_apns_refused_total", "0+1x120", 'reason="BadDeviceToken"'),
        {**one("sealpush_apns_refused_total", "0x60 9x60", 'reason="BadDeviceToken"'),
         **one("sealpush_apns_refused_total", "0+9x120", 'reason="Unregistered"')}, {}, None),
    "SealedPushPushesFail": (
        90, {**both("sealpush_pushes_failed_total", "0+2x120"), **both("sealpush_apns_sent_total", "0+100x120")},
        {**both("sealpush_pushes_failed_total", "0+1x120"), **both("sealpush_apns_sent_total", "0+200x120")}, {}, None),
    "SealedPushNobodyThere": (
        90, {**both("sealpush_jobs_without_devices_total", "0+8x120"), **both("sealpush_jobs_acknowledged_total", "0+10x120")},
        {**both("sealpush_jobs_without_devices_total", "0+8x120"), **both("sealpush_jobs_acknowledged_total", "0+90x120")},
        {}, None),
    "SealedPushEnrolmentsLate": (
        10, both("sealpush_enrolments_oldest_seconds", "180x30"), both("sealpush_enrolments_oldest_seconds", "50x30"), {},
        "Enrolments have waited for 3m 0s, so no phone can register"),
    "SealedPushEnrolmentsRefused": (
        90, {**both("sealpush_enrolments_total", "0+1x120", labels='answer="refused"'),
             **both("sealpush_enrolments_total", "0+1x120", labels='answer="registered"')},
        {**both("sealpush_enrolments_total", "0+1x120", labels='answer="refused"'),
         **both("sealpush_enrolments_total", "0+9x120", labels='answer="registered"')}, {}, None),
    "SealedPushProofsRefused": (
        90, {**both("sealpush_proof_requests_total", "0+1x120", labels='answer="refused"'),
             **both("sealpush_proof_requests_total", "0+1x120", labels='answer="accepted"')},
        {**both("sealpush_proof_requests_total", "0+1x120", labels='answer="refused"'),
         **both("sealpush_proof_requests_total", "0+9x120", labels='answer="accepted"')}, {}, None),
    "SealedPushIdentitySuspended": (
        60, both("sealpush_enrolments_suspended_total", "0x60", "0x30 1x60"),
        both("sealpush_enrolments_suspended_total", "3x90"), {}, None),
    "SealedPushPhonesBehind": (
        5100, {**both("sealpush_fleet_devices", "200x6000", labels='set="behind"'),
               **both("sealpush_fleet_devices", "900x6000", labels='set="current"')},
        {**both("sealpush_fleet_devices", "900-0.1x6000", labels='set="behind"'),
         **both("sealpush_fleet_devices", "100+0.1x6000", labels='set="current"')}, {}, None),
    "SealedPushPhonesCannotOpen": (
        2000, both("sealpush_fleet_degraded_devices", "3x1500 30x900", labels='reason="unknown-key"'),
        {**both("sealpush_fleet_degraded_devices", "30x3000", labels='reason="unknown-key"'),
         **both("sealpush_fleet_degraded_devices", "3x1500 30x900", labels='reason="expired"')},
        {"reason": "unknown-key"}, "More phones than yesterday show the placeholder (unknown-key)"),
}


def test(rule, row, fires):
    """A test of promtool."""
    time, firing, quiet, labels, summary = row
    annotations = dict(rule["annotations"], summary=summary or rule["annotations"]["summary"])
    expected = [{"exp_labels": {**rule["labels"], **labels}, "exp_annotations": annotations}] if fires else []
    return {
        "name": f"{rule['alert']} {'fires' if fires else 'does not fire'}", "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in (firing if fires else quiet).items()],
        "alert_rule_test": [{"eval_time": f"{time}m", "alertname": rule["alert"], "exp_alerts": expected}]}


def run(promtool, *words):
    done = subprocess.run([promtool, *words], capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def main(promtool):
    check("promtool takes the rules", *run(promtool, "check", "rules", RULES))
    rules = {rule["alert"]: rule for group in YAML(typ="safe").load(RULES)["groups"] for rule in group["rules"]}
    check(f"each alert has a test: {sorted(rules.keys() ^ TESTS.keys())}", rules.keys() == TESTS.keys())
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tests.yaml"

        def passes(tests):
            path.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
            return run(promtool, "test", "rules", path)

        for name in rules.keys() & TESTS.keys():
            for fires in (True, False):
                check(f"{name} {'fires' if fires else 'does not fire'}", *passes([test(rules[name], TESTS[name], fires)]))
        # A test that cannot fail proves nothing: with the other series, each must.
        for name in rules.keys() & TESTS.keys():
            time, firing, quiet, labels, summary = TESTS[name]
            swapped = (time, quiet, firing, labels, summary)
            for fires in (True, False):
                check(f"the test of {name} can fail", not passes([test(rules[name], swapped, fires)])[0])
    end(least=80)


main(sys.argv[1])
