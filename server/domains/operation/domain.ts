/** Running the instance: its audit log, limits, mails, announcements and settings. */
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import { callPerId } from "../../platform/outbox/call-per-id.ts";
import type { Platform } from "../../platform/platform.ts";
import { createAnnouncementService } from "./announcements/service.ts";
import { signAllAgain } from "./audit/anchor-signatures.ts";
import { createAnchorSigner } from "./audit/anchors.ts";
import { createCheckpoints } from "./audit/checkpoints.ts";
import { createAuditExpiry } from "./audit/expiry.ts";
import { createAuditMaintenance } from "./audit/maintenance.ts";
import { createProofCursors } from "./audit/proof-cursor.ts";
import { createAuditReader } from "./audit/reader.ts";
import { createAuditService } from "./audit/service.ts";
import { createInstanceNotices } from "./instance/notices.ts";
import { createInstanceSettings } from "./instance/settings.ts";
import { createCustomLimits } from "./limits/custom.ts";
import { createGitOperations } from "./limits/git-operations.ts";
import { createRateMetrics } from "./limits/metrics.ts";
import { createRateLimits } from "./limits/service.ts";
import { createLimitStatus } from "./limits/limit-status.ts";
import { createEncryptedRecords, type EncryptedRecords } from "./keys/encrypted-records.ts";
import { observeKeys } from "./keys/metrics.ts";
import { rotationKey, rotationKind, startRotation } from "./keys/rotation-intents.ts";
import { createKeyRotation } from "./keys/rotation.ts";
import { createKeyService } from "./keys/service.ts";
import { createUnusedKeys } from "./keys/unused-keys.ts";
import { encryptedMails } from "./mails/encrypted-mails.ts";
import { createMailer } from "./mails/mailer.ts";
import { createMailService } from "./mails/service.ts";
import { createSmtp, mailSender } from "./mails/smtp.ts";

export type Operation = ReturnType<typeof createOperation>;

export function createOperation({ config, platform }: { config: Config; platform: Platform }) {
  const { db, logger, addresses, metrics: registry } = platform;
  const { limits, periods } = config;
  const { auditMaintenance, signAnchorsAgain, ...audit } = createAudit(platform);
  const signAuditLogAgain = async () => {
    await audit.checkpoints.keepAll();
    await signAnchorsAgain();
  };
  const ofKeys = createKeys(config, platform, signAuditLogAgain);
  const rateLimits = createRateLimits({
    db,
    limits,
    logger,
    periods,
    metrics: createRateMetrics(registry),
  });
  const { mail, mailer } = createMails(config, platform, ofKeys.encryptedRecords);
  const announcements = createAnnouncementService({ db });
  const instanceSettings = createInstanceSettings({ db, config, webUrl: addresses.webUrl });
  return {
    ...audit,
    auditMaintenance,
    ...ofKeys,
    rateLimits,
    gitOperations: createGitOperations(db),
    limitStatus: createLimitStatus({ db, limits, rateLimits }),
    customLimits: createCustomLimits({ db, limits }),
    mail,
    mailer,
    announcements,
    instanceSettings,
    instanceNotices: createInstanceNotices({ announcements, instanceSettings }),
    lifecycle: joinLifecycles([rateLimits, mailer]),
  };
}

function createAudit({ db, objects, logger, metrics: registry, instanceKeys }: Platform) {
  const signer = instanceKeys.signer("audit");
  const checkpoints = createCheckpoints({ db, objects, signer });
  const auditMaintenance = createAuditMaintenance({ db, checkpoints, logger, registry });
  const cursors = createProofCursors(signer);
  const { link } = auditMaintenance;
  const anchorSigner = createAnchorSigner(signer);
  return {
    checkpoints,
    auditMaintenance,
    audit: createAuditService({ db, checkpoints, cursors, anchorSigner, link }),
    auditExpiry: createAuditExpiry({ db, signer: anchorSigner, checkpoints, logger, registry }),
    signAnchorsAgain: () => signAllAgain({ db, signer: anchorSigner, logger }),
    auditReader: createAuditReader({ db, link }),
  };
}

function createKeys(
  { temporal: { taskQueue }, periods }: Config,
  platform: Platform,
  signAuditLogAgain: () => Promise<void>,
) {
  const { db, outbox, temporal } = platform;
  const records = createEncryptedRecords(db, platform.instanceKeys);
  observeKeys(platform.metrics, platform.instanceKeys);
  const start = (rotationId: string) => startRotation({ temporal, taskQueue }, rotationId);
  outbox.handle(rotationKey, callPerId(rotationKind, rotationKey, start));
  const shared = { ...platform, ...periods, records, signAuditLogAgain };
  return {
    /** Where each domain says what it keeps encrypted. */
    encryptedRecords: records,
    keys: createKeyService(shared),
    /** For the workflow that replaces the key. */
    keyRotation: createKeyRotation({ ...shared, taskQueue }),
    unusedKeys: createUnusedKeys(shared),
  };
}

function createMails(config: Config, platform: Platform, encryptedRecords: EncryptedRecords) {
  const { db, logger, addresses, metrics: registry, instanceKeys } = platform;
  const smtp = config.mail.smtpUrl && createSmtp(config.mail.smtpUrl, mailSender(config, addresses));
  const encryption = instanceKeys.encryption("mail");
  encryptedRecords.add("mails", encryptedMails(encryption));
  const mail = createMailService({ db, encryption, addresses, sends: smtp !== undefined });
  return { mail, mailer: createMailer({ db, mail, smtp, logger, registry }) };
}

// What other domains and the edges may use.
export { presentAnnouncement, presentCurrentAnnouncement } from "./announcements/present.ts";
export { presentEntry } from "./audit/present.ts";
export { recordAudit } from "./audit/record.ts";
export { presentKey, presentRotation } from "./keys/present.ts";
export { presentLimitStatus } from "./limits/present.ts";
export { rateLimitExceeded } from "./limits/service.ts";
export type { AnnouncementService } from "./announcements/service.ts";
export type { Checkpoints } from "./audit/checkpoints.ts";
export type { AuditReader } from "./audit/reader.ts";
export type { AuditEntry } from "./audit/record.ts";
export type { AuditService } from "./audit/service.ts";
export type { InstanceNotices } from "./instance/notices.ts";
export type { InstanceSettingsService } from "./instance/settings.ts";
export type { EncryptedRecords } from "./keys/encrypted-records.ts";
export type { KeyRotation } from "./keys/rotation.ts";
export type { KeyService } from "./keys/service.ts";
export type { CustomLimitService } from "./limits/custom.ts";
export type { GitOperations } from "./limits/git-operations.ts";
export type { RateLimits, RateStatus, Taken } from "./limits/service.ts";
export type { LimitStatus } from "./limits/limit-status.ts";
export type { LateMail, MailOutcome, Mailer } from "./mails/mailer.ts";
export type { MailService } from "./mails/service.ts";
export { mailSender } from "./mails/smtp.ts";
