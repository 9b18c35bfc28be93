/** On the page of a run: a search of the logs of all its jobs. */
import { useState } from "react";
import { useParams } from "react-router";
import { text } from "../../text/log-search.ts";
import { Button } from "../../ui/button.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { FoundLines } from "./found-lines.tsx";
import styles from "./found-lines.module.css";

export function RunLogSearch() {
  const { number = "" } = useParams();
  const { owner, repo } = useRepositoryPath();
  const [words, setWords] = useState("");
  const [q, setQ] = useState("");
  return (
    <div className={styles.found}>
      <form
        role="search"
        aria-label={text.inRun}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setQ(words);
        }}
      >
        <label>
          {text.inRun}
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
      <FoundLines wanted={{ owner, repo, run: number, q }} />
    </div>
  );
}
