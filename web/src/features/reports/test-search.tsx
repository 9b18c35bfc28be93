/** A field for words of tests; nothing is asked for before it is sent. */
import { useState } from "react";
import { text } from "../../text/tests.ts";
import { text as logs } from "../../text/log-search.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./run-reports.module.css";

export function TestSearch({ onSearch }: { onSearch: (words: string) => void }) {
  const [words, setWords] = useState("");
  return (
    <form
      role="search"
      aria-label={text.search}
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(words);
      }}
    >
      <label>
        {text.search}{" "}
        <input
          type="search"
          value={words}
          maxLength={200}
          onChange={(event) => {
            setWords(event.target.value);
            if (event.target.value === "") onSearch("");
          }}
        />
      </label>{" "}
      <Button type="submit">{logs.search}</Button>
    </form>
  );
}
