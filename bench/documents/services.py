"""Look-alikes of what a code host answers: pull requests, and what happened lately."""

import random

from .words import hexadecimal, kana, moment, opaque, words

API = "https://api.example.com"
SITE = "https://example.com"
ACCOUNT_LINKS = [
    "followers",
    "following",
    "gists",
    "starred",
    "subscriptions",
    "orgs",
    "repos",
    "events",
    "received_events",
]
REPOSITORY_LINKS = [
    "forks",
    "keys",
    "collaborators",
    "teams",
    "hooks",
    "issue_events",
    "events",
    "assignees",
    "branches",
    "tags",
    "blobs",
    "git_tags",
    "git_refs",
    "trees",
    "statuses",
    "languages",
    "stargazers",
    "contributors",
    "subscribers",
    "subscription",
    "commits",
    "git_commits",
    "comments",
    "issue_comment",
    "contents",
    "compare",
    "merges",
    "archive",
    "downloads",
    "issues",
    "pulls",
    "milestones",
    "notifications",
    "labels",
    "releases",
    "deployments",
]
FEATURES = [
    "has_issues",
    "has_projects",
    "has_downloads",
    "has_wiki",
    "has_pages",
    "has_discussions",
]
FLAGS = ["archived", "disabled", "allow_forking", "is_template", "web_commit_signoff_required"]


def account(random_source, login, number):
    base = f"{API}/users/{login}"
    return {
        "login": login,
        "id": number,
        "node_id": opaque(random_source, 20),
        "avatar_url": f"https://avatars.example.com/u/{number}?v=4",
        "gravatar_id": "",
        "url": base,
        "html_url": f"{SITE}/{login}",
        **{f"{name}_url": f"{base}/{name}{{/privacy}}" for name in ACCOUNT_LINKS},
        "type": "User",
        "site_admin": False,
    }


def licence(random_source):
    return {
        "key": "mit",
        "name": "MIT License",
        "spdx_id": "MIT",
        "url": f"{API}/licenses/mit",
        "node_id": opaque(random_source, 16),
    }


def repository(random_source, owner):
    pick = random_source.randrange
    full = f"{owner['login']}/message-kit"
    base = f"{API}/repos/{full}"
    return {
        "id": pick(10**7, 10**9),
        "node_id": opaque(random_source, 24),
        "name": "message-kit",
        "full_name": full,
        "private": False,
        "owner": owner,
        "html_url": f"{SITE}/{full}",
        "description": words(random_source, 8) if random_source.random() < 0.5 else None,
        "fork": random_source.random() < 0.5,
        "url": base,
        **{f"{name}_url": f"{base}/{name}{{/{name[:3]}}}" for name in REPOSITORY_LINKS},
        "created_at": moment(random_source),
        "updated_at": moment(random_source),
        "pushed_at": moment(random_source),
        "git_url": f"git://example.com/{full}.git",
        "ssh_url": f"git@example.com:{full}.git",
        "clone_url": f"{SITE}/{full}.git",
        "svn_url": f"{SITE}/{full}",
        "homepage": None,
        "size": pick(10_000),
        "stargazers_count": pick(5_000),
        "watchers_count": pick(5_000),
        "language": random_source.choice(["Python", "C", "Ruby", None]),
        **{name: random_source.random() < 0.7 for name in FEATURES},
        "forks_count": pick(500),
        "mirror_url": None,
        **dict.fromkeys(FLAGS, False),
        "open_issues_count": pick(200),
        "license": licence(random_source) if random_source.random() < 0.7 else None,
        "topics": [],
        "visibility": "public",
        "forks": pick(500),
        "open_issues": pick(200),
        "watchers": pick(5_000),
        "default_branch": "main",
    }


def label(random_source):
    name = words(random_source, 1)
    return {
        "id": random_source.randrange(10**9, 3 * 10**9),
        "node_id": opaque(random_source, 28),
        "url": f"{API}/repos/example-org/message-kit/labels/{name}",
        "name": name,
        "color": hexadecimal(random_source, 6),
        "default": False,
        "description": words(random_source, 5) if random_source.random() < 0.6 else None,
    }


def end_of_merge(random_source, who, where):
    return {
        "label": f"{who['login']}:topic-{random_source.randrange(10_000)}",
        "ref": f"topic-{random_source.randrange(10_000)}",
        "sha": hexadecimal(random_source),
        "user": who,
        "repo": where,
    }


def body_text(random_source):
    if random_source.random() < 0.1:
        return None
    text = "\r\n".join(
        words(random_source, random_source.randrange(3, 16)).capitalize() + "."
        for _ in range(random_source.randrange(1, 18))
    )
    return text + (" " + kana(random_source, 8) if random_source.random() < 0.12 else "")


def pull(random_source, number, people, base_repository):
    pick = random_source.randrange
    author = random_source.choice(people)
    base = f"{API}/repos/example-org/message-kit"
    parts = [
        "html",
        "issue",
        "comments",
        "review_comments",
        "review_comment",
        "commits",
        "statuses",
    ]
    links = {name: {"href": f"{base}/pulls/{number}/{name}"} for name in ["self", *parts]}
    own = base_repository if random_source.random() < 0.25 else repository(random_source, author)
    counts = ["comments", "review_comments", "commits", "additions", "deletions", "changed_files"]
    return {
        "url": f"{base}/pulls/{number}",
        "id": pick(10**8, 3 * 10**9),
        "node_id": opaque(random_source, 32),
        "html_url": f"{SITE}/example-org/message-kit/pull/{number}",
        "diff_url": f"{SITE}/example-org/message-kit/pull/{number}.diff",
        "patch_url": f"{SITE}/example-org/message-kit/pull/{number}.patch",
        "issue_url": f"{base}/issues/{number}",
        "number": number,
        "state": random_source.choice(["open", "closed"]),
        "locked": False,
        "title": words(random_source, pick(3, 12)).capitalize(),
        "user": author,
        "body": body_text(random_source),
        "created_at": moment(random_source),
        "updated_at": moment(random_source),
        "closed_at": moment(random_source) if random_source.random() < 0.5 else None,
        "merged_at": moment(random_source) if random_source.random() < 0.4 else None,
        "merge_commit_sha": hexadecimal(random_source),
        "assignee": None,
        "assignees": [random_source.choice(people) for _ in range(pick(2))],
        "requested_reviewers": [random_source.choice(people) for _ in range(pick(3))],
        "requested_teams": [],
        "labels": [label(random_source) for _ in range(pick(4))],
        "milestone": None,
        "draft": random_source.random() < 0.1,
        **{f"{name}_url": f"{base}/pulls/{number}/{name}" for name in parts[2:]},
        "head": end_of_merge(random_source, author, own),
        "base": end_of_merge(random_source, base_repository["owner"], base_repository),
        "_links": links,
        "author_association": random_source.choice(["OWNER", "MEMBER", "CONTRIBUTOR", "NONE"]),
        "auto_merge": None,
        "active_lock_reason": None,
        "merged": random_source.random() < 0.4,
        "mergeable": None,
        "rebaseable": None,
        "mergeable_state": "unknown",
        "merged_by": None,
        **{name: int(random_source.expovariate(1 / 40)) for name in counts},
        "maintainer_can_modify": random_source.random() < 0.5,
    }


def some_people(random_source, count):
    return [
        account(
            random_source, words(random_source, 1) + str(n), random_source.randrange(10**7, 10**8)
        )
        for n in range(count)
    ]


def pulls(count=300, seed=7):
    """A list of pull requests, as a code host gives them."""
    random_source = random.Random(seed)
    people = some_people(random_source, 48)
    base = repository(random_source, account(random_source, "example-org", 4_242))
    return [pull(random_source, 5_000 - n, people, base) for n in range(count)]


def push(random_source, who, number):
    return "PushEvent", {
        "push_id": number,
        "size": 2,
        "distinct_size": 2,
        "ref": "refs/heads/main",
        "head": hexadecimal(random_source),
        "before": hexadecimal(random_source),
        "commits": [
            {
                "sha": hexadecimal(random_source),
                "author": {"email": f"{who['login']}@example.com", "name": who["login"]},
                "message": words(random_source, random_source.randrange(4, 30)),
                "distinct": True,
                "url": f"{API}/repos/{who['login']}/message-kit/commits/{number}",
            }
            for _ in range(random_source.randrange(1, 3))
        ],
    }


def issue(random_source, who, number):
    return "IssuesEvent", {
        "action": "opened",
        "issue": {
            "number": number,
            "user": {name: value for name, value in who.items() if name != "site_admin"},
            "title": words(random_source, 6),
            "body": words(random_source, random_source.randrange(10, 300)),
            "labels": [],
            "state": "open",
            "comments": random_source.randrange(20),
            "created_at": moment(random_source),
            "closed_at": None,
        },
    }


def watch(_random_source, _who, _number):
    return "WatchEvent", {"action": "started"}


def creation(random_source, _who, _number):
    return "CreateEvent", {
        "ref": None,
        "ref_type": "repository",
        "master_branch": "main",
        "description": words(random_source, 9),
    }


def fork(random_source, who, _number):
    return "ForkEvent", {"forkee": repository(random_source, who)}


def page(random_source, who, number):
    return "GollumEvent", {
        "pages": [
            {
                "page_name": words(random_source, 1),
                "title": words(random_source, 2),
                "summary": None,
                "action": "edited",
                "sha": hexadecimal(random_source),
                "html_url": f"{SITE}/{who['login']}/message-kit/wiki/{number}",
            }
        ]
    }


def event(random_source, people):
    who = random_source.choice(people)
    number = random_source.randrange(10**6, 10**7)
    happenings = [push, push, push, issue, issue, watch, creation, fork, page]
    kind, payload = random_source.choice(happenings)(random_source, who, number)
    made = {
        "id": str(number * 1000),
        "type": kind,
        "actor": {name: who[name] for name in ("login", "id", "gravatar_id", "url", "avatar_url")},
        "repo": {
            "id": number,
            "name": f"{who['login']}/message-kit",
            "url": f"{API}/repos/{number}",
        },
        "payload": payload,
        "public": True,
        "created_at": moment(random_source),
    }
    if random_source.random() < 0.25:
        made["org"] = dict(made["actor"], login="example-org")
    return made


def events(count=25, seed=12):
    """What happened at a code host in the last minutes."""
    random_source = random.Random(seed)
    people = some_people(random_source, 20)
    return [event(random_source, people) for _ in range(count)]
