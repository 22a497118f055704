import { list, NUMBER, oneOf, STRING, structure, text } from '../shape';

const ENCRYPTION_ALGORITHM_SPEC = oneOf(
  'SYMMETRIC_DEFAULT',
  'RSAES_OAEP_SHA_1',
  'RSAES_OAEP_SHA_256',
  'SM2PKE',
);

/** What operations answer, by the own model of the service. */
export const KMS = {
  encrypt: structure({
    CiphertextBlob: text({ min: 1 }),
    KeyId: text({ min: 1, max: 2048 }),
    EncryptionAlgorithm: ENCRYPTION_ALGORITHM_SPEC,
  }),
  decrypt: structure({
    KeyId: text({ min: 1, max: 2048 }),
    Plaintext: text({ min: 1 }),
    EncryptionAlgorithm: ENCRYPTION_ALGORITHM_SPEC,
    CiphertextForRecipient: text({ min: 1 }),
    KeyMaterialId: text({ min: 64, max: 64 }),
  }),
  generateDataKey: structure({
    CiphertextBlob: text({ min: 1 }),
    Plaintext: text({ min: 1 }),
    KeyId: text({ min: 1, max: 2048 }),
    CiphertextForRecipient: text({ min: 1 }),
    KeyMaterialId: text({ min: 64, max: 64 }),
  }),
};

/** What operations answer, by the own model of the service. */
export const SECRETS_MANAGER = {
  getSecretValue: structure({
    ARN: text({ min: 20, max: 2048 }),
    Name: text({ min: 1, max: 256 }),
    VersionId: text({ min: 32, max: 64 }),
    SecretBinary: text({ min: 1 }),
    SecretString: text({ min: 1, max: 65536 }),
    VersionStages: list(text({ min: 1, max: 256 })),
    CreatedDate: STRING,
  }),
};

/** What operations answer, by the own model of the service. */
export const SSM = {
  getParameter: structure({
    Parameter: structure({
      Name: text({ min: 1, max: 2048 }),
      Type: oneOf('String', 'StringList', 'SecureString'),
      Value: STRING,
      Version: NUMBER,
      Selector: text({ min: 0, max: 128 }),
      SourceResult: STRING,
      LastModifiedDate: STRING,
      ARN: STRING,
      DataType: text({ min: 0, max: 128 }),
    }),
  }),
  putParameter: structure({ Version: NUMBER, Tier: oneOf('Standard', 'Advanced', 'Intelligent-Tiering') }),
};
