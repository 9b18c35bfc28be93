/** By what commits and files are judged: what was computed by other rules is computed again. */
import { linguistVersion } from "./linguist/version.ts";

/** Grows whenever the same commits would give other rows. */
const ownRules = 2;

export const statisticsRules = `${ownRules} linguist-js ${linguistVersion()}`;
