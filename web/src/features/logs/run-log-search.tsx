/** On the page of a run: a search of the logs of all its jobs. */
import { lazy, Suspense, useState } from "react";
import { useParams } from "react-router";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/runs.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./found-lines.module.css";

const FoundLines = lazy(async () => ({
  default: (await fetchPart(() => import("./found-lines.tsx"))).FoundLines,
}));

export function RunLogSearch() {
  const { number = "" } = useParams();
  const { owner, repo } = useRepositoryPath();
  const [words, setWords] = useState("");
  const [q, setQ] = useState("");
  return (
    <div className={styles.found}>
      <form
        role="search"
        aria-label={text.searchLogs}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setQ(words);
        }}
      >
        <label>
          {text.searchLogs}
          <input
            type="search"
            value={words}
            maxLength={200}
            onChange={(event) => {
              setWords(event.target.value);
              if (event.target.value === "") setQ("");
            }}
          />
        </label>
        <Button type="submit">{text.search}</Button>
      </form>
      {q === "" ? null : (
        <Suspense fallback={<Skeleton lines={2} />}>
          <FoundLines wanted={{ owner, repo, run: number, q }} />
        </Suspense>
      )}
    </div>
  );
}
