<?php
require __DIR__ . '/lading.php';

// During a rotation: both, with a space between.
$secrets = explode(' ', getenv('LADING_CALLBACK_SECRET') ?: throw new Exception('LADING_CALLBACK_SECRET is not set'));
try {
    $callback = Lading\verifyCallback(getallheaders(), file_get_contents('php://input'), $secrets);
    // Store it here, with event_id as a unique key: a row that exists is a repeat.
    error_log("{$callback['event']} {$callback['document_no']} {$callback['status']}");
} catch (Lading\CallbackError $error) {
    error_log("CallbackError: {$error->getMessage()}");
    http_response_code(400);
    echo $error->getMessage();
}
