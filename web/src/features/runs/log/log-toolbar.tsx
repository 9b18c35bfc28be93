/** Above a log: search, times, following, and the log as a file. */
import { ArrowDown, ArrowUp, Clock, Download, FileText } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { text } from "../../../text/runs.ts";
import { IconButton } from "../../../ui/button.tsx";
import styles from "./log-view.module.css";
import type { LogSearchState } from "./use-log-search.ts";

export interface LogToolbarProps {
  search: LogSearchState;
  onStep: (by: 1 | -1) => void;
  hasTimes: boolean;
  onTimes: (has: boolean) => void;
  isLive: boolean;
  isFollowing: boolean;
  onFollow: (follows: boolean) => void;
  rawHref: string;
}

export function LogToolbar(props: LogToolbarProps) {
  const { search, onStep, isFollowing } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape") search.setWords("");
    if (event.key !== "Enter") return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  return (
    <div className={styles.toolbar}>
      <div className={styles.search}>
        <input
          type="search"
          aria-label={text.searchLog}
          placeholder={text.searchLog}
          value={search.words}
          onChange={(event) => search.setWords(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {search.words === "" ? null : (
          <>
            <span className={styles.count} role="status">
              {text.found(search.index + 1, search.count)}
            </span>
            <IconButton label={text.previous} onClick={() => onStep(-1)}>
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton label={text.next} onClick={() => onStep(1)}>
              <ArrowDown aria-hidden />
            </IconButton>
          </>
        )}
      </div>
      <div className={styles.tools}>
        {props.isLive ? (
          <Toggle label={text.follow} isOn={isFollowing} onChange={props.onFollow}>
            <ArrowDown size={15} aria-hidden />
          </Toggle>
        ) : null}
        <Toggle label={text.times} isOn={props.hasTimes} onChange={props.onTimes}>
          <Clock size={15} aria-hidden />
        </Toggle>
        <a className={styles.tool} href={props.rawHref} target="_blank" rel="noreferrer">
          <FileText size={15} aria-hidden /> {text.raw}
        </a>
        <a className={styles.tool} href={props.rawHref} download>
          <Download size={15} aria-hidden /> {text.download}
        </a>
      </div>
    </div>
  );
}

function Toggle(props: {
  label: string;
  isOn: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  const { label, isOn, onChange, children } = props;
  return (
    <button type="button" className={styles.tool} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children} {label}
    </button>
  );
}
