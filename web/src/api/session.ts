/** Who is signed in, in this browser. One query for all pages; signing in and out changes it. */
import { useQuery } from "@tanstack/react-query";
import { ForgelineApiError } from "@forgeline/client/errors.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, setCsrfToken } from "./client.ts";
import { queryClient } from "./query-client.ts";

export interface SignedIn {
  user: Schemas["OwnUser"];
  sessionId: string;
}

export const sessionKey = ["session"] as const;

export const sessionQuery = { queryKey: sessionKey, queryFn: readSession, staleTime: Infinity };

/** False while it is known that the browser has no session: the page came without its cookie, and nobody signed in since. */
let mayHaveSession = document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content !== "none";

/** Whether to ask for what only somebody signed in gets, before it is known who that is. */
export function mayBeSignedIn(): boolean {
  return mayHaveSession;
}

/** Null when nobody is signed in. The page's frame waits for it, so it is there for whatever stands in the frame. */
export function useSession(): SignedIn | null {
  return useQuery(sessionQuery).data ?? null;
}

/** For pages that only somebody signed in sees. */
export function useSignedIn(): SignedIn {
  const session = useSession();
  if (!session) throw new Error("this page is for people who are signed in");
  return session;
}

async function readSession(): Promise<SignedIn | null> {
  if (!mayHaveSession) return null;
  try {
    const [user, session] = await Promise.all([
      api.GET("/user"),
      api.GET("/user/sessions/{id}", { params: { path: { id: "current" } } }),
    ]);
    setCsrfToken(session.data?.csrf_token);
    if (!user.data || !session.data) return null;
    return { user: user.data, sessionId: session.data.id };
  } catch (error) {
    if (error instanceof ForgelineApiError && error.status === 401) return null;
    throw error;
  }
}

/** After a sign-in: the page stays as it is, and what it shows is requested again, in the name of who signed in. */
export async function startSession(): Promise<void> {
  mayHaveSession = true;
  queryClient.setQueryData(sessionKey, await readSession());
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** Ends the session on the server and forgets all that it showed. */
export async function signOut(): Promise<void> {
  await api.DELETE("/user/sessions/{id}", { params: { path: { id: "current" } } });
  setCsrfToken(undefined);
  queryClient.clear();
  window.location.assign("/");
}
