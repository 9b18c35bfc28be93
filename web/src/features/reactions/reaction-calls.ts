/** The operations on the reactions to one text. */
import { api } from "../../api/client.ts";
import type { Board } from "../discussions/board.ts";
import type { Reaction, ReactionName } from "./reaction.ts";

interface Wanted {
  name: ReactionName;
  per_page: number;
}

export interface ReactionCalls {
  /** Of the text. */
  id: string;
  list: (query: Wanted) => Promise<{ data?: Reaction[] }>;
  add: (name: ReactionName) => Promise<unknown>;
  remove: (reaction: ReactionName) => Promise<unknown>;
}

interface RepositoryPath {
  owner: string;
  repo: string;
}

const ofRepository = "/repos/{owner}/{repo}";

export function issueReactions(path: RepositoryPath & { number: number }, id: string): ReactionCalls {
  const address = `${ofRepository}/issues/{number}/reactions` as const;
  return {
    id,
    list: (query) => api.GET(address, { params: { path, query } }),
    add: (name) => api.POST(address, { params: { path }, body: { name } }),
    remove: (reaction) => api.DELETE(`${address}/{reaction}`, { params: { path: { ...path, reaction } } }),
  };
}

export function mergeRequestReactions(path: RepositoryPath & { number: number }, id: string): ReactionCalls {
  const address = `${ofRepository}/merge-requests/{number}/reactions` as const;
  return {
    id,
    list: (query) => api.GET(address, { params: { path, query } }),
    add: (name) => api.POST(address, { params: { path }, body: { name } }),
    remove: (reaction) => api.DELETE(`${address}/{reaction}`, { params: { path: { ...path, reaction } } }),
  };
}

export function reviewReactions(path: RepositoryPath & { number: number; review: string }): ReactionCalls {
  const address = `${ofRepository}/merge-requests/{number}/reviews/{review}/reactions` as const;
  return {
    id: path.review,
    list: (query) => api.GET(address, { params: { path, query } }),
    add: (name) => api.POST(address, { params: { path }, body: { name } }),
    remove: (reaction) => api.DELETE(`${address}/{reaction}`, { params: { path: { ...path, reaction } } }),
  };
}

export function commentReactions(path: RepositoryPath & { id: string }): ReactionCalls {
  const address = `${ofRepository}/comments/{id}/reactions` as const;
  return {
    id: path.id,
    list: (query) => api.GET(address, { params: { path, query } }),
    add: (name) => api.POST(address, { params: { path }, body: { name } }),
    remove: (reaction) => api.DELETE(`${address}/{reaction}`, { params: { path: { ...path, reaction } } }),
  };
}

const ofDiscussion = "/orgs/{org}/teams/{team}/discussions/{number}";

export function discussionReactions(path: Board & { number: number }, id: string): ReactionCalls {
  const address = `${ofDiscussion}/reactions` as const;
  return {
    id,
    list: (query) => api.GET(address, { params: { path, query } }),
    add: (name) => api.POST(address, { params: { path }, body: { name } }),
    remove: (reaction) => api.DELETE(`${address}/{reaction}`, { params: { path: { ...path, reaction } } }),
  };
}

export function replyReactions(path: Board & { number: number; id: string }): ReactionCalls {
  const address = `${ofDiscussion}/replies/{id}/reactions` as const;
  return {
    id: path.id,
    list: (query) => api.GET(address, { params: { path, query } }),
    add: (name) => api.POST(address, { params: { path }, body: { name } }),
    remove: (reaction) => api.DELETE(`${address}/{reaction}`, { params: { path: { ...path, reaction } } }),
  };
}
