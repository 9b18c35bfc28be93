/** The board of a team, as pages of it know it. */
import { createContext, useContext } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { MarkdownPlace } from "../markdown/targets.ts";

export type Discussion = Schemas["Discussion"];
export type Reply = Schemas["DiscussionReply"];

export const all = "/orgs/{org}/teams/{team}/discussions";
export const one = `${all}/{number}` as const;

export interface Board {
  org: string;
  /** `parent/child`. */
  team: string;
}

export const BoardContext = createContext<Board>({ org: "", team: "" });
export const useBoard = () => useContext(BoardContext);

export function boardAddress({ org, team }: Board): string {
  return `/orgs/${org}/teams/${team}/discussions`;
}

export function textPlace({ org, team }: Board): MarkdownPlace {
  return { team: `${org}/${team}`, references: true };
}
