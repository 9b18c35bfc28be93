/** What every page stands in: the bar at the top, what the instance has to say, and the page. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Outlet, ScrollRestoration } from "react-router";
import { setHasSession, useConnection } from "../api/connection.ts";
import { sessionQuery } from "../api/session.ts";
import { text } from "../text/general.ts";
import { ProblemNotice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Announcements } from "./announcements.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import styles from "./frame.module.css";
import { fetchPart } from "../api/fetch-part.ts";
import { TopBar } from "./top-bar.tsx";

const SessionEndedDialog = lazy(async () => ({
  default: (await fetchPart(() => import("./session-ended-dialog.tsx"))).SessionEndedDialog,
}));

export function Frame() {
  const connection = useConnection();
  const session = useQuery(sessionQuery);
  const isSignedIn = Boolean(session.data);
  useEffect(() => setHasSession(isSignedIn), [isSignedIn]);
  return (
    <>
      <a href="#content" className={styles.skip}>
        {text.skipToContent}
      </a>
      <TopBar />
      <ConnectionBar />
      <main id="content" tabIndex={-1} className={styles.main}>
        <Announcements />
        {session.data === undefined ? (
          session.error ? (
            <ProblemNotice error={session.error} />
          ) : (
            <Skeleton />
          )
        ) : (
          <Outlet />
        )}
      </main>
      <Suspense>{connection === "signed-out" ? <SessionEndedDialog /> : null}</Suspense>
      <ScrollRestoration />
    </>
  );
}
