/**
 * Providers of OpenID Connect as their configurations describe them. Every request goes out by the one outbound client;
 * ID tokens count only when one of the provider's public keys has signed them.
 */
import {
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  None,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from "openid-client";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { Secret } from "../../../platform/secret.ts";
import { derive } from "./binding.ts";
import { readClaims, type Claims } from "./claims.ts";
import { ProviderProblem, discoveryProblem, signInProblem } from "./provider-problem.ts";

/** This instance as a client of the provider, for one organization. */
export interface Client {
  /** Changes whenever any of the other fields changes. */
  version: string;
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  callbackUrl: string;
}

export interface Providers {
  /** Throws ProviderProblem unless there is a provider that can be used. */
  check(issuer: string): Promise<void>;
  /** Where to send a browser. Throws ProviderProblem. */
  authorizationUrl(client: Client, binding: string): Promise<URL>;
  /** The person who came back; `query` is the query string of the callback. Throws ProviderProblem. */
  claims(client: Client, binding: string, query: URLSearchParams): Promise<Claims>;
}

const freshMs = 5 * 60_000;
const maxKept = 1_000;
const timeoutSeconds = 15;
/** With public keys, and no `none`. */
const algorithms = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;

export function createProviders(outbound: Outbound): Providers {
  const kept = new Map<string, { configuration: Configuration; until: number }>();

  async function read(issuer: string): Promise<ServerMetadata> {
    if (!URL.canParse(issuer)) throw new ProviderProblem("discovery", "The issuer is not a valid address.");
    const options = { [customFetch]: outbound.fetch, timeout: timeoutSeconds };
    const found = await discovery(new URL(issuer), "unknown", undefined, None(), options).catch(
      (error: unknown) => {
        throw discoveryProblem(error);
      },
    );
    const metadata = found.serverMetadata();
    requireUsable(metadata, issuer);
    return metadata;
  }

  /** Its keys are read again only when a token names one that is not known. */
  async function configurationOf(client: Client): Promise<Configuration> {
    const before = kept.get(client.version);
    const now = performance.now();
    if (before && before.until > now) return before.configuration;
    const metadata = await read(client.issuer);
    const signing = metadata.id_token_signing_alg_values_supported?.filter((name) => algorithms.test(name));
    const usable = { ...metadata, id_token_signing_alg_values_supported: signing ?? ["RS256"] };
    const secret = client.clientSecret.reveal();
    const authentication = takesBasic(metadata) ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    const configuration = new Configuration(usable, client.clientId, {}, authentication);
    configuration[customFetch] = outbound.fetch;
    configuration.timeout = timeoutSeconds;
    enableNonRepudiationChecks(configuration);
    if (kept.size >= maxKept) kept.clear();
    kept.set(client.version, { configuration, until: now + freshMs });
    return configuration;
  }

  return {
    async check(issuer) {
      await requireKeys(outbound, await read(issuer));
    },
    async authorizationUrl(client, binding) {
      const configuration = await configurationOf(client);
      return buildAuthorizationUrl(configuration, {
        redirect_uri: client.callbackUrl,
        scope: "openid email profile",
        state: derive(binding, "state"),
        nonce: derive(binding, "nonce"),
        code_challenge: await calculatePKCECodeChallenge(derive(binding, "verifier")),
        code_challenge_method: "S256",
      });
    },
    async claims(client, binding, query) {
      const configuration = await configurationOf(client);
      const address = new URL(client.callbackUrl);
      address.search = query.toString();
      try {
        const tokens = await authorizationCodeGrant(configuration, address, {
          expectedState: derive(binding, "state"),
          expectedNonce: derive(binding, "nonce"),
          pkceCodeVerifier: derive(binding, "verifier"),
          idTokenExpected: true,
        });
        const identity = tokens.claims();
        if (!identity) throw new Error("no ID token came");
        // Most providers return address and name only here.
        if (identity["email"] !== undefined || !configuration.serverMetadata().userinfo_endpoint)
          return readClaims(identity);
        const more = await fetchUserInfo(configuration, tokens.access_token, identity.sub);
        return readClaims({ ...identity, email_verified: undefined, ...more });
      } catch (error) {
        throw signInProblem(error);
      }
    },
  };
}

/** Basic is the default if a provider does not say (OpenID Connect Discovery 1.0, section 3). */
function takesBasic(metadata: ServerMetadata): boolean {
  return (metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]).includes(
    "client_secret_basic",
  );
}

function requireUsable(metadata: ServerMetadata, issuer: string): void {
  const refuse = (message: string) => {
    throw new ProviderProblem("discovery", message);
  };
  // Some providers serve many issuers under one address; users could then come from any of them.
  if (metadata.issuer !== issuer)
    refuse("The provider's configuration names another issuer; write the issuer exactly as it does.");
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (!isHttps(metadata[name])) refuse(`The provider's configuration has no ${name} that uses https.`);
  if (metadata.response_types_supported?.includes("code") === false)
    refuse("The provider does not offer the authorization code flow.");
  const methods = metadata.token_endpoint_auth_methods_supported;
  if (methods && !methods.some((name) => name === "client_secret_basic" || name === "client_secret_post"))
    refuse("The provider supports neither client_secret_basic nor client_secret_post.");
  const signing = metadata.id_token_signing_alg_values_supported;
  if (signing && !signing.some((name) => algorithms.test(name)))
    refuse("The provider does not sign ID tokens with a public-key algorithm.");
}

function isHttps(address: unknown): boolean {
  return typeof address === "string" && URL.canParse(address) && new URL(address).protocol === "https:";
}

async function requireKeys(outbound: Outbound, metadata: ServerMetadata): Promise<void> {
  const address = metadata.jwks_uri ?? "";
  const options = { method: "GET", headers: { accept: "application/json, application/jwk-set+json" } };
  const answer = await outbound.fetch(address, options).catch((error: unknown) => {
    throw discoveryProblem(error);
  });
  const document = (await answer.json().catch(() => undefined)) as { keys?: unknown } | null | undefined;
  if (answer.status !== 200 || !Array.isArray(document?.keys) || document.keys.length === 0)
    throw new ProviderProblem("discovery", "The provider's jwks_uri returns no keys.");
}
