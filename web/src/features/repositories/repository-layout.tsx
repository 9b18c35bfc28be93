/** What all pages of a repository stand in: whose it is, what it is called, and its parts as tabs. */
import { Lock } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, Outlet, useMatch } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/repositories.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { ForkButton } from "../create/fork-button.tsx";
import styles from "./repository-layout.module.css";
import { repositoryTabs } from "./repository-tabs.ts";
import { useRepositoryPath } from "./use-repository.ts";

/** Most repositories are no forks. */
const ForkStanding = lazy(async () => ({
  default: (await fetchPart(() => import("../fork-syncs/fork-standing.tsx"))).ForkStanding,
}));

/** On the start page alone: the others are lighter without it. */
const WatchMenu = lazy(async () => ({
  default: (await fetchPart(() => import("../notifications/watch-menu.tsx"))).WatchMenu,
}));

export function RepositoryLayout() {
  const path = useRepositoryPath();
  const repository = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}",
    { params: { path } },
    { staleTime: 30_000 },
  );
  return (
    <QueryView query={repository}>
      {(found) => (
        <>
          <Head repository={found} />
          <Outlet context={found} />
        </>
      )}
    </QueryView>
  );
}

function Head({ repository }: { repository: Schemas["Repository"] }) {
  const { owner, name, full_name, visibility, archived, mirror, importing, upstream } = repository;
  const session = useSession();
  const tabs = repositoryTabs(repository);
  const isStart = useMatch("/:owner/:repo") !== null;
  return (
    <div className={styles.head}>
      <div className={styles.name}>
        <Link to={`/${owner.name}`}>{owner.name}</Link>
        <span aria-hidden>/</span>
        <Link to={`/${full_name}`} className={styles.repository}>
          {name}
        </Link>
        <Badge tone="plain">
          {visibility === "private" ? <Lock size={11} aria-hidden /> : null} {visibility}
        </Badge>
        {mirror ? <Badge>{text.mirror}</Badge> : null}
        {importing ? <Badge>{text.importing}</Badge> : null}
        {archived ? <Badge tone="warn">{text.archived}</Badge> : null}
        {session ? (
          <div className={styles.actions}>
            {isStart ? (
              <Suspense>
                <WatchMenu />
              </Suspense>
            ) : null}
            <ForkButton repository={repository} />
          </div>
        ) : null}
      </div>
      {upstream ? (
        <div className={styles.upstream}>
          {text.forkedFrom} <Link to={`/${upstream.full_name}`}>{upstream.full_name}</Link>
          <Suspense>
            <ForkStanding fullName={full_name} />
          </Suspense>
        </div>
      ) : null}
      {importing ? <ImportingNotice repository={repository} /> : null}
      {mirror && !archived ? <div className={styles.upstream}>{text.mirrorNotice}</div> : null}
      {archived ? <Notice tone="warn">{text.archivedNotice}</Notice> : null}
      {tabs.length > 0 ? <TabLinks label={text.parts} links={tabs} /> : null}
    </div>
  );
}

function ImportingNotice({ repository: { full_name, permissions } }: { repository: Schemas["Repository"] }) {
  return (
    <div className={styles.upstream}>
      {text.importingNotice}{" "}
      {permissions === "admin" ? (
        <Link to={`/${full_name}/settings/imports`} data-inline>
          {text.seeImport}
        </Link>
      ) : null}
    </div>
  );
}
