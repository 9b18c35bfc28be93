"""One client of authlib from request to revocation. Asks on stdout, reads where the browser landed from stdin."""

import json
import os
import sys

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

base, ca, client_id, redirect_uri = (os.environ[n] for n in ("BASE", "CA", "CLIENT_ID", "REDIRECT_URI"))
server = requests.get(f"{base}/.well-known/oauth-authorization-server", verify=ca, timeout=20).json()
session = OAuth2Session(
    client_id,
    os.environ.get("CLIENT_SECRET") or None,
    token_endpoint_auth_method=os.environ["AUTH_METHOD"],
    revocation_endpoint_auth_method=os.environ["AUTH_METHOD"],
    scope="repo:read user:read",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
)
session.verify = ca
verifier = "v" * 64
url, state = session.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
print(url, flush=True)
landed = sys.stdin.readline().strip()

token = session.fetch_token(
    server["token_endpoint"], authorization_response=landed, state=state, code_verifier=verifier
)
first = token["refresh_token"]
user = session.get(f"{base}/api/v1/user").json()["username"]
renewed = session.refresh_token(server["token_endpoint"], refresh_token=first)
assert renewed["refresh_token"] != first
revoked = session.revoke_token(server["revocation_endpoint"], token=renewed["refresh_token"])
after = requests.get(
    f"{base}/api/v1/user",
    headers={"Authorization": f"Bearer {renewed['access_token']}"},
    verify=ca,
    timeout=20,
).status_code
try:
    session.refresh_token(server["token_endpoint"], refresh_token=first)
    error = None
except OAuthError as refused:
    error = refused.error
print(
    json.dumps(
        {"user": user, "scope": token["scope"], "revoked": revoked.status_code, "after": after, "error": error}
    )
)
