/** Made by `node scripts/generate-rows.ts` from the statements of configuration.store.ts; do not edit. */

export interface ConfigurationRows {
  findConfiguration: {
    id: string;
    organization_id: string;
    issuer: string;
    client_id: string;
    sealed_client_secret: Buffer;
    email_domains: string[];
    provision: boolean;
    provision_approved: boolean;
    enabled: boolean;
    created_at: Date;
    updated_at: Date;
    organization: string;
  };
  findOffered: {
    id: string;
    organization_id: string;
    issuer: string;
    client_id: string;
    sealed_client_secret: Buffer;
    email_domains: string[];
    provision: boolean;
    provision_approved: boolean;
    enabled: boolean;
    created_at: Date;
    updated_at: Date;
    organization: string;
  };
  replaceConfiguration: never;
  countByKey: {
    mark: string;
    count: number;
  };
  lockOfOtherKeys: {
    id: string;
    sealed_client_secret: Buffer;
  };
  replaceSecrets: never;
  deleteConfiguration: never;
}
