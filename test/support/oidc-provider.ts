/**
 * A real provider of OpenID Connect on loopback, over HTTPS, in the test's own process. Whoever comes to it is signed in
 * as `provider.person` without being asked. `tamper` changes ID tokens before they are signed by the provider's own key.
 */
import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Provider, type Configuration, type KoaContextWithOIDC } from "oidc-provider";
import { ensureCertificates } from "@forgeline/launcher/certificates.ts";

export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
}

type IdToken = { header: Record<string, unknown>; claims: Record<string, unknown> };

export interface TestProvider {
  issuer: string;
  caFile: string;
  /** Of the provider, for further servers on loopback. */
  tls: { cert: Buffer; key: Buffer };
  clientSecret: string;
  /** Who sits before the browser. */
  person: ProviderPerson;
  tamper: ((token: IdToken) => IdToken) | undefined;
  /** Whether ID tokens are changed after they were signed. */
  spoilSignature: boolean;
  /** Requests that this instance made, by path. */
  asked: string[];
  /** Settings that let a server call this provider. */
  env: Record<string, string>;
  /** From now on the client may be sent back there. */
  register(clientId: string, redirectUri: string): void;
  stop(): Promise<void>;
}

export async function startProvider(): Promise<TestProvider> {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-oidc-"));
  const { caFile, certFile, keyFile } = await ensureCertificates(directory, ["localhost", "127.0.0.1"]);
  const tls = { cert: await readFile(certFile), key: await readFile(keyFile) };
  const server = createServer(tls);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const clients = new Map<string, Record<string, unknown>>();
  const started: TestProvider = {
    issuer,
    caFile,
    tls,
    clientSecret: randomBytes(24).toString("base64url"),
    person: { sub: "nobody" },
    tamper: undefined,
    spoilSignature: false,
    asked: [],
    env: { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1,::1", FORGELINE_OUTBOUND_CA_FILE: caFile },
    register(clientId, redirectUri) {
      clients.set(clientId, {
        client_id: clientId,
        client_secret: started.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "test", alg: "RS256", use: "sig" };
  const provider = new Provider(issuer, configure(started, clients, jwk as Record<string, string>));
  provider.use(signInWithoutAsking(provider, started));
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    started.asked.push(ctx.path);
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (started.spoilSignature && body?.id_token) body.id_token = spoil(body.id_token);
    if (started.tamper && body?.id_token)
      body.id_token = sign(started.tamper(parse(body.id_token)), privateKey);
  });
  const answer = provider.callback();
  server.on("request", (req, res) => void answer(req, res));
  return started;
}

function configure(
  started: TestProvider,
  clients: ReadonlyMap<string, Record<string, unknown>>,
  jwk: Record<string, string>,
): Configuration {
  return {
    adapter: memoryAdapter(clients),
    jwks: { keys: [jwk] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "preferred_username"],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: async () => ({ ...started.person, sub: accountId }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

function signInWithoutAsking(provider: Provider, started: TestProvider) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    if (!ctx.path.startsWith("/interaction/")) return next();
    ctx.respond = false;
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: started.person.sub } });
  };
}

/** The library's own one keeps everything of all providers of a process together, and knows no clients. */
function memoryAdapter(clients: ReadonlyMap<string, Record<string, unknown>>) {
  const stored = new Map<string, Record<string, unknown>>();
  const byUid = new Map<string, string>();
  return (kind: string) => {
    const keyOf = (id: string) => `${kind}:${id}`;
    return {
      async upsert(id: string, payload: Record<string, unknown>) {
        stored.set(keyOf(id), payload);
        if (typeof payload["uid"] === "string") byUid.set(payload["uid"], keyOf(id));
      },
      find: async (id: string) => (kind === "Client" ? clients.get(id) : stored.get(keyOf(id))),
      findByUid: async (uid: string) => stored.get(byUid.get(uid) ?? ""),
      findByUserCode: async () => undefined,
      async consume(id: string) {
        const payload = stored.get(keyOf(id));
        if (payload) payload["consumed"] = Math.floor(Date.now() / 1000);
      },
      async destroy(id: string) {
        stored.delete(keyOf(id));
      },
      async revokeByGrantId(grantId: string) {
        for (const [key, payload] of stored) if (payload["grantId"] === grantId) stored.delete(key);
      },
    };
  };
}

/** Somebody else's subject under the old signature. */
function spoil(token: string): string {
  const { claims } = parse(token);
  const [header, , signature] = token.split(".");
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: "somebody-else" })).toString("base64url");
  return [header, changed, signature].join(".");
}

function parse(token: string): IdToken {
  const [header, claims] = token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Record<string, unknown>);
  return { header: header ?? {}, claims: claims ?? {} };
}

function sign(
  { header, claims }: IdToken,
  key: Parameters<ReturnType<typeof createSign>["sign"]>[0],
): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  if (header["alg"] === "none") return `${text}.`;
  return `${text}.${createSign("sha256").update(text).sign(key).toString("base64url")}`;
}
