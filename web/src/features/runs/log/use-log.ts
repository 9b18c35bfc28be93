/** The log of one attempt, as it comes, and what the socket says meanwhile of the run. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { watchLogsInBrowser } from "@forgeline/client/watch-logs-browser.ts";
import { WatchRefusedError, type WatchedStatus } from "@forgeline/client/watch-session.ts";
import { api } from "../../../api/client.ts";
import { useConnection } from "../../../api/connection.ts";
import { createLogStore, type LogStore } from "./log-store.ts";

export interface LogRequest {
  owner: string;
  repo: string;
  pipeline: string;
  job: string;
  attempt: number;
  /** Rises with each rerun: a run that was over continues. */
  sequence: number;
}

export interface WatchedLog {
  store: LogStore;
  version: number;
  /** The connection was lost and is tried again. */
  isLost: boolean;
  /** The server has no room for it now; it is tried again. */
  busy: { why: string; seconds: number } | null;
  /** The server has told what there is; before that nobody knows whether a line was written. */
  isKnown: boolean;
  refused: unknown;
}

type Connection = Pick<WatchedLog, "isLost" | "busy" | "isKnown">;
const unknown: Connection = { isLost: false, busy: null, isKnown: false };
const known: Connection = { isLost: false, busy: null, isKnown: true };

export function useLog(request: LogRequest, onStatus: (status: WatchedStatus) => void): WatchedLog {
  const { owner, repo, pipeline, job, attempt, sequence } = request;
  const store = useMemo(
    () => createLogStore((callback) => requestAnimationFrame(callback)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another log is another store
    [owner, repo, pipeline, job, attempt],
  );
  const version = useSyncExternalStore(store.subscribe, store.version);
  const [connection, setConnection] = useState(unknown);
  const [refused, setRefused] = useState<unknown>(null);
  const listener = useRef(onStatus);
  useEffect(() => {
    listener.current = onStatus;
  }, [onStatus]);
  // After a new sign-in, the log continues where it stopped.
  const isSignedOut = useConnection() === "signed-out";

  useEffect(() => {
    if (isSignedOut) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const back = () => setConnection(known);
    const place = { origin: window.location.origin, owner, repo, pipeline, job, attempt };
    setConnection(unknown);
    setRefused(null);
    watchLogsInBrowser(
      { api, ...place, have: store.have(), signal },
      {
        onStream: store.handlers.onStream,
        onStreamEnd: store.handlers.onStreamEnd,
        onBytes(stream, bytes, place) {
          store.handlers.onBytes(stream, bytes, place);
        },
        onStatus(status) {
          back();
          listener.current(status);
        },
        onReconnect: () => setConnection((before) => ({ ...before, isLost: true, busy: null })),
        onBusy(delayMs, why) {
          const busy = { why, seconds: Math.ceil(delayMs / 1000) };
          setConnection((before) => ({ ...before, isLost: false, busy }));
        },
      },
    ).then(back, (error: unknown) => {
      if (signal.aborted) return;
      // The frame asks for a new sign-in once a session has ended.
      if (!(error instanceof WatchRefusedError && (error.status === 401 || error.status === 4401)))
        setRefused(error);
    });
    return () => controller.abort();
  }, [store, owner, repo, pipeline, job, attempt, sequence, isSignedOut]);

  return { store, version, ...connection, refused };
}
