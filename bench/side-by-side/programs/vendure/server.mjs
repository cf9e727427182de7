/** Vendure without a search index, e-mail and dashboard, in one process with its job queue. */
import { bootstrap, DefaultLogger, dummyPaymentHandler, JobQueueService, LogLevel } from '@vendure/core';

const { PORT, DB_HOST, DB_PORT, DB_USERNAME, DB_PASSWORD, DB_NAME, DB_POOL, ADMIN_PASSWORD, COOKIE_SECRET } =
  process.env;

const app = await bootstrap({
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  apiOptions: { hostname: '127.0.0.1', port: Number(PORT) },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'superadmin', password: ADMIN_PASSWORD },
    cookieOptions: { secret: COOKIE_SECRET },
  },
  dbConnectionOptions: {
    type: 'postgres',
    // Creates the tables of an empty database.
    synchronize: true,
    logging: false,
    host: DB_HOST,
    port: Number(DB_PORT),
    username: DB_USERNAME,
    password: DB_PASSWORD,
    database: DB_NAME,
    poolSize: Number(DB_POOL),
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  plugins: [],
});
await app.get(JobQueueService).start();
