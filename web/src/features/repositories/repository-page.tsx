/** The start page of a repository: what it is about, its files at the default branch, and its README. */
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/repositories.ts";
import { Badge } from "../../ui/badge.tsx";
import { useTitle } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RefChooser } from "../branches/ref-chooser.tsx";
import { readmeAmong } from "../contents/file-content.ts";
import { FileList } from "../contents/file-list.tsx";
import { LatestCommit } from "../contents/latest-commit.tsx";
import { NewFile } from "../contents/new-file.tsx";
import { Readme } from "../contents/readme.tsx";
import { fileAddress } from "./addresses.ts";
import { ClonePopup } from "./clone-popup.tsx";
import { EmptyRepository } from "./empty-repository.tsx";
import { LanguagesBar } from "./languages-bar.tsx";
import styles from "./repository-page.module.css";
import { startPageQueries } from "./start-page-queries.ts";
import { useRepository, useRepositoryPath } from "./use-repository.ts";

/** Most repositories are no forks. */
const ForkSyncLink = lazy(async () => ({
  default: (await fetchPart(() => import("../fork-syncs/fork-sync-link.tsx"))).ForkSyncLink,
}));

/** How often an empty repository is asked for its first files. */
const untilPushedMs = 4_000;

export function RepositoryPage() {
  const repository = useRepository();
  const queries = startPageQueries(useRepositoryPath());
  const files = $api.useQuery("get", "/repos/{owner}/{repo}/contents", queries.files, {
    refetchInterval: ({ state }) => (state.data?.length === 0 ? untilPushedMs : false),
  });
  useFirstPush(files.data?.length);
  useTitle(repository.full_name);
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{repository.full_name}</h1>
      <SubjectId />
      <QueryView query={files} lines={8}>
        {(entries) => (entries.length === 0 ? <EmptyRepository /> : <Start entries={entries} />)}
      </QueryView>
    </div>
  );
}

/** What was known of the repository while it was empty is requested again once it is not. */
function useFirstPush(fileCount: number | undefined): void {
  const queryClient = useQueryClient();
  const wasEmpty = useRef(false);
  useEffect(() => {
    if (wasEmpty.current && fileCount) void queryClient.invalidateQueries();
    wasEmpty.current = fileCount === 0;
  }, [fileCount, queryClient]);
}

function SubjectId() {
  const { description, topics } = useRepository();
  if (description === "" && topics.length === 0) return null;
  return (
    <div className={styles.about}>
      {description === "" ? null : <p className={styles.description}>{description}</p>}
      {topics.length === 0 ? null : (
        <ul className={styles.topics} aria-label={text.topics}>
          {topics.map((topic) => (
            <li key={topic}>
              <Badge>{topic}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Start({ entries }: { entries: readonly Schemas["ContentsEntry"][] }) {
  const repository = useRepository();
  const queries = startPageQueries(useRepositoryPath());
  const commits = $api.useQuery("get", "/repos/{owner}/{repo}/commits", queries.latest);
  const languages = $api.useQuery("get", "/repos/{owner}/{repo}/stats/languages", queries.languages);
  const gitRef = repository.default_branch;
  const readme = readmeAmong(entries);
  return (
    <>
      <div className={styles.bar}>
        <RefChooser current={gitRef} addressOf={(ref) => fileAddress(repository, "tree", { ref })} />
        <div className={styles.room} />
        {repository.upstream ? (
          <Suspense>
            <ForkSyncLink />
          </Suspense>
        ) : null}
        <NewFile place={{ ref: gitRef, path: "" }} />
        <ClonePopup gitRef={gitRef} />
      </div>
      <FileList entries={entries} gitRef={gitRef} path="">
        <LatestCommit commit={commits.data?.[0]} gitRef={gitRef} path="" />
      </FileList>
      {languages.data ? <LanguagesBar languages={languages.data.languages} /> : null}
      {readme ? <Readme entry={readme} gitRef={gitRef} /> : null}
    </>
  );
}
