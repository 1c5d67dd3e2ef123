"""Print the reasons for skipped tests in a JUnit file, one a line, with how many tests each holds."""

import collections
import sys
import xml.etree.ElementTree as ElementTree

reasons: collections.Counter[str] = collections.Counter()
for skipped in ElementTree.parse(sys.argv[1]).iter("skipped"):
    reasons[skipped.get("message", "no reason given")] += 1
for reason, count in reasons.most_common():
    print(f"{count} skipped: {reason}")
