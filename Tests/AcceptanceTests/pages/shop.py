#!/usr/bin/env python3
"""A shop that sells Gems: signs receipts with the fields of StoreKit 2's transactions by a key of its own (JWS, ES256).

    shop.py FOLDER      makes FOLDER/shop.pem, the public key, and prints receipts as JSON
"""
import base64
import json
import sys
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

BUNDLE = "org.example.unhooked"


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Shop:
    """`arguments` are thrumd's, for the shop's receipts to count."""

    def __init__(self, folder):
        self.key = ec.generate_private_key(ec.SECP256R1())
        path = folder + "/shop.pem"
        with open(path, "wb") as file:
            file.write(self.key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
        self.arguments = ["--receipt-key", path, "--receipt-bundle-id", BUNDLE]

    def receipt(self, transaction, product, quantity=1, **more):
        now = int(time.time() * 1000)
        payload = {"transactionId": transaction, "originalTransactionId": transaction, "productId": product, "bundleId": BUNDLE,
                   "environment": "Production", "purchaseDate": now - 60_000, "quantity": quantity, **more}
        signed = (text(b'{"alg":"ES256"}') + "." + text(json.dumps(payload).encode())).encode()
        r, s = utils.decode_dss_signature(self.key.sign(signed, ec.ECDSA(hashes.SHA256())))
        return signed.decode() + "." + text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def refund(self, transaction, product, quantity=1):
        return self.receipt(transaction, product, quantity, revocationDate=int(time.time() * 1000), revocationReason=0)


if __name__ == "__main__":
    shop = Shop(sys.argv[1])
    print(json.dumps({
        "arguments": shop.arguments,
        "gems": shop.receipt("1", "gems_500"), "refund": shop.refund("1", "gems_500"),
        "half": shop.receipt("1", "gems_500", revocationDate=int(time.time() * 1000), revocationType="REFUND_PRORATED",
                             revocationPercentage=50_000),
        "other": shop.receipt("2", "energy_500"),
    }))
