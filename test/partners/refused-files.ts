import { permissions } from '../../server/domain/partners/provisioning.ts';

const otherEnvironment =
  'environment of account ALPHA cannot change: all data of an account is in its environment; make another account';
const otherAccount = 'account_no of client erp cannot change: a client belongs to one account; make another client';
const nameRule = 'must be 1-200 valid Unicode characters, no control characters, no white space at the ends';
const webhookSecretRule = 'must be whsec_ followed by the base64 of 24 to 64 bytes';
const passwordMistake = 'must have at least 12 characters and not be a common password, a name or a pattern';

/** Each case is a file after its title; every mistake is a comment on its line, after `#!`. */
export const refusedFiles = String.raw`
== an unknown part
stores: []
shops: [] #! shops: unknown field
== a number as text
stores:
  - store_no: "10" #! stores[0].store_no: must be a whole number between 1 and 2147483647
== a number that is an object which has no text
warehouses:
  - warehouse_no: { toString: 1 } #! warehouses[0].warehouse_no: must be a whole number between 1 and 2147483647
== a file that is a list
- stores #! : must be object
== a permission that does not exist
clients:
  - client_id: erp
    permissions: [stocks.read, stocks.erase] #! clients[0].permissions[1]: must be one of ${permissions.join(', ')}
== a callback secret without its prefix
logistics_keys:
  - name: wms
    account_no: ALPHA
    callback_secret: plain-text-secret #! logistics_keys[0].callback_secret: must be whsec_ followed by base64
== a callback secret that Standard Webhooks cannot use (no base64)
logistics_keys:
  - { name: wms, account_no: ALPHA,
      callback_secret: whsec_AAAAA } #! logistics_keys[0].callback_secret: ${webhookSecretRule}
== a callback secret that Standard Webhooks cannot use (23 bytes)
logistics_keys:
  - { name: wms, account_no: ALPHA,
      callback_secret: whsec_${'A'.repeat(31)} } #! logistics_keys[0].callback_secret: ${webhookSecretRule}
== a callback secret that Standard Webhooks cannot use (66 bytes)
logistics_keys:
  - { name: wms, account_no: ALPHA,
      callback_secret: whsec_${'A'.repeat(88)} } #! logistics_keys[0].callback_secret: ${webhookSecretRule}
== a password that is too short
operators:
  - username: boss
    password: seven77 #! operators[0].password: must be 8-256 valid Unicode characters, no control characters
== the same partner twice
stores:
  - store_no: 11
  - store_no: 12
  - store_no: 11 #! stores[2]: store 11 is listed twice
== the same tenant twice
accounts:
  - account_no: ALPHA
    tenants:
      - warehouse_tpw_id: TPW-A
      - warehouse_tpw_id: TPW-A #! accounts[0].tenants[1]: tenant ALPHA/TPW-A is listed twice
== a JSON key twice
{ "stores": [],
"stores": [] } #! : Map keys must be unique
== a new account without its environment
accounts:
  - account_no: GAMMA #! accounts[0]: environment is missing, and account GAMMA is new
== a new tenant without its warehouse and store
accounts:
  - account_no: ALPHA
    tenants:
      - warehouse_tpw_id: TPW-B #! accounts[0].tenants[0]: warehouse_no is missing, and tenant ALPHA/TPW-B is new #! accounts[0].tenants[0]: store_no is missing, and tenant ALPHA/TPW-B is new
== a new client without its account
clients:
  - client_id: new #! clients[0]: account_no is missing, and client new is new
== a logistics key that another one has
logistics_keys:
  - { name: other, account_no: ALPHA, warehouse_no: 1, store_no: 10,
      key: wms-key-of-thirty-two-characters-or-more } #! logistics_keys[0].key: this key is already in use; every key must be different
== the same logistics key twice in one file
logistics_keys:
  - { name: a, account_no: ALPHA, warehouse_no: 1, store_no: 10, key: twice-of-thirty-two-characters-or-more }
  - { name: b, account_no: ALPHA, warehouse_no: 1, store_no: 10, key: twice-of-thirty-two-characters-or-more } #! logistics_keys[1].key: this key is already in use; every key must be different
== an http connector without url
warehouses:
  - warehouse_no: 1
    connector: { type: http, #! warehouses[0].connector: a connector of type http needs a url
      step_s: 5 } #! warehouses[0].connector.step_s: a connector of type http has no step_s
== fields of another type of connector
warehouses:
  - warehouse_no: 1
    connector: { type: manual, url: "https://w.example" } #! warehouses[0].connector.url: a connector of type manual has no url
== a connector url that is invalid
warehouses:
  - warehouse_no: 1
    connector: { type: http,
      url: "http://[::1" } #! warehouses[0].connector.url: must be an http(s) URL without user name and password
== a connector secret in the form of Standard Webhooks that cannot be used
warehouses:
  - warehouse_no: 1
    connector: { type: http, url: "https://w.example",
      secret: whsec_AAAAA } #! warehouses[0].connector.secret: ${webhookSecretRule}
== new machine secrets of fewer than 32 characters
warehouses:
  - { warehouse_no: 7, connector: { type: http, url: https://warehouse.example,
      secret: only-31-characters-of-a-secret- } } #! warehouses[0].connector.secret: must have at least 32 characters
accounts:
  - { account_no: NEW, environment: uat,
      secret: only-31-characters-of-a-secret- } #! accounts[0].secret: must have at least 32 characters
clients:
  - { client_id: new, account_no: ALPHA,
      check_value: only-31-characters-of-a-secret- } #! clients[0].check_value: must have at least 32 characters
logistics_keys:
  - { name: new, account_no: ALPHA, warehouse_no: 1, store_no: 10,
      key: only-31-characters-of-a-secret- } #! logistics_keys[0].key: must have at least 32 characters
== new passwords that are short, common, a name or a pattern
operators:
  - { username: mei-ling, role: staff,
      password: elevenchars } #! operators[0].password: ${passwordMistake}
  - { username: common, role: staff,
      password: P@ssw0rd2026! } #! operators[1].password: ${passwordMistake}
  - { username: wei-chen, role: staff,
      password: wei-chen-2026 } #! operators[2].password: ${passwordMistake}
  - { username: pattern, role: staff,
      password: qwertyuiop12 } #! operators[3].password: ${passwordMistake}
== half of a surrogate pair in a name, an identifier and a secret
stores:
  - { store_no: 11, name: "tea \ud83c" } #! stores[0].name: ${nameRule}
accounts:
  - account_no: ALPHA
    secret: "\udc00 secret" #! accounts[0].secret: must be 1-256 valid Unicode characters, no control characters
    tenants:
      - warehouse_tpw_id: "T\ud800" #! accounts[0].tenants[0].warehouse_tpw_id: must be 1-125 characters, no control, zero-width or bidirectional characters, no white space at the ends
== text that is not YAML
stores:
  - store_no: 10
 name: x #! : All mapping items must start at the same column
== two documents in one file
stores: []
--- #! : Source contains multiple documents; please use YAML.parseAllDocuments()
stores: []
== many mistakes of form
warehouses:
  - { warehouse_no: 0, color: red } #! warehouses[0].color: unknown field #! warehouses[0].warehouse_no: must be a whole number between 1 and 2147483647
stores:
  - { name: 7 } #! stores[0].store_no: is missing #! stores[0].name: must be string
accounts: 5 #! accounts: must be array
operators:
  - username: a b #! operators[0].username: must be 1-64 visible ASCII characters without spaces
    role: king #! operators[0].role: must be one of admin, staff, read-only
== many mistakes of substance, beside valid entries
warehouses: [{ warehouse_no: 5 }]
accounts:
  - { account_no: BETA, environment: uat }
  - account_no: ALPHA
    name: Renamed
    environment: production #! accounts[1].environment: ${otherEnvironment}
    tenants: [{ warehouse_tpw_id: TPW-A, warehouse_no: 9, store_no: 99 }] #! accounts[1].tenants[0].warehouse_no: warehouse 9 does not exist #! accounts[1].tenants[0].store_no: store 99 does not exist
clients: [{ client_id: erp, account_no: BETA }] #! clients[0].account_no: ${otherAccount}
operators:
  - { username: right, role: staff }
  - { username: wrong } #! operators[1]: role is missing, and operator wrong is new
== mistakes of form and of reference together, without follow-on mistakes
warehouses:
  - { warehouse_no: 5, nam: Taoyuan } #! warehouses[0].nam: unknown field; did you mean name?
accounts:
  - account_no: DELTA
    environment: uta #! accounts[0].environment: must be one of uat, production
  - account_no: BETA
    environment: uat
    tenants:
      - { warehouse_tpw_id: T, warehouse_no: 5, store_no: 11 } #! accounts[1].tenants[0].store_no: store 11 does not exist
      - { warehouse_tpw_id: 7 } #! accounts[1].tenants[1].warehouse_tpw_id: must be string
clients:
  - { client_id: new, account_no: DELTA }
  - { client_id: other, account_no: GAMMA } #! clients[1].account_no: account GAMMA does not exist
operators:
  - { username: new } #! operators[0]: role is missing, and operator new is new
== a mistake in a new warehouse that a tenant and a key refer to
warehouses: [{ warehouse_no: 7,
    connector: { type: simulator, step_s: 0.2 } }] #! warehouses[0].connector.step_s: must be a whole number between 1 and 86400
accounts: [{ account_no: ALPHA, tenants: [{ warehouse_tpw_id: T, store_no: 10, warehouse_no: 7 }] }]
logistics_keys: [{ name: new, account_no: ALPHA, store_no: 10, warehouse_no: 7 }]
== a mistake in a new store that a tenant and a key refer to
stores: [{ store_no: 7,
    name: "" }] #! stores[0].name: ${nameRule}
accounts: [{ account_no: ALPHA, tenants: [{ warehouse_tpw_id: T, warehouse_no: 1, store_no: 7 }] }]
logistics_keys: [{ name: new, account_no: ALPHA, warehouse_no: 1, store_no: 7 }]
`;
