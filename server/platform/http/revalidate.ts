/** Conditional requests, as services see them. */

/**
 * `version` names the state of what will be shown. Ends the request, by throwing, where the client has that state already;
 * so it is called before whatever is expensive.
 */
export type Revalidate = (version: string) => void;
