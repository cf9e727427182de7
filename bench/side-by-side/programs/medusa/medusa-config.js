/** Medusa without its admin pages, in one process, with the modules that it uses when there is no Redis. */
const { defineConfig } = require('@medusajs/framework/utils');

const { DATABASE_URL, DB_POOL, JWT_SECRET, COOKIE_SECRET } = process.env;

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseLogging: false,
    databaseDriverOptions: { ssl: false, pool: { min: 2, max: Number(DB_POOL) } },
    http: {
      storeCors: 'http://127.0.0.1',
      adminCors: 'http://127.0.0.1',
      authCors: 'http://127.0.0.1',
      jwtSecret: JWT_SECRET,
      cookieSecret: COOKIE_SECRET,
    },
  },
});
