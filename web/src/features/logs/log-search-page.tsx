/** Searches the logs of the last runs of a repository. What is searched stands in the address. */
import type { FormEvent } from "react";
import { useSearchParams } from "react-router";
import { text } from "../../text/log-search.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { FoundLines } from "./found-lines.tsx";
import styles from "./found-lines.module.css";

const usualRuns = 20;
const maxRuns = 100;

export function LogSearchPage() {
  const repository = useRepository();
  const { owner, repo } = useRepositoryPath();
  const [query, setQuery] = useSearchParams();
  const q = query.get("q") ?? "";
  const ref = query.get("ref") ?? "";
  const runs = runsOf(query.get("runs"));
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const wanted = ["q", "ref", "runs"].flatMap((name) => {
      const value = given.get(name);
      return typeof value === "string" && value.trim() !== "" ? [[name, value]] : [];
    });
    setQuery(new URLSearchParams(wanted));
  };
  return (
    <Page title={text.title} within={repository.full_name} lead={text.lead}>
      <form
        key={query.toString()}
        role="search"
        aria-label={text.title}
        className={styles.form}
        onSubmit={search}
      >
        <label>
          {text.words}
          <input type="search" name="q" defaultValue={q} maxLength={200} required />
        </label>
        <label>
          {text.ref}
          <input type="text" name="ref" defaultValue={ref} maxLength={300} />
        </label>
        <label>
          {text.runs}
          <input type="number" name="runs" defaultValue={runs} min={1} max={maxRuns} />
        </label>
        <Button type="submit">{text.search}</Button>
      </form>
      <FoundLines wanted={{ owner, repo, q, runs, ...(ref === "" ? {} : { ref }) }} />
    </Page>
  );
}

function runsOf(given: string | null): number {
  const runs = Number(given ?? usualRuns);
  return Number.isInteger(runs) && runs >= 1 && runs <= maxRuns ? runs : usualRuns;
}
