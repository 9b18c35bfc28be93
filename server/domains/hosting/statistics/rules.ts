/** Version of the rules for commits and files: results of other rules are computed again. */
import { linguistVersion } from "./linguist/version.ts";

/** Increase it whenever the same commits would give other rows. */
const ownRules = 2;

export const statisticsRules = `${ownRules} linguist-js ${linguistVersion()}`;
