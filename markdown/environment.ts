/** What is noted while a text is read. */
import type { Env } from "markdown-it";

export interface WrittenTask {
  /** From 0. */
  line: number;
  checked: boolean;
}

export interface ReadEnvironment extends Env {
  /** Before the numbers of tasks in the markup, which tells them from what somebody wrote there. */
  key: string;
  tasks: WrittenTask[];
}
