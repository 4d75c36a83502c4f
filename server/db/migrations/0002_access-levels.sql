-- The levels that the product speaks of; others are added in the console.
INSERT INTO "access_level" ("level", "name", "description", "is_core") VALUES
  (0, '{"en": "Guest", "tr": "Misafir"}', '{"en": "Address not proven yet.", "tr": "Adresi henüz doğrulanmadı."}', true),
  (1, '{"en": "User", "tr": "Kullanıcı"}', '{"en": "Signed-in visitor.", "tr": "Giriş yapmış ziyaretçi."}', true),
  (10, '{"en": "Admin", "tr": "Yönetici"}', '{"en": "Runs the console.", "tr": "Yönetim konsolunu kullanır."}', true),
  (999, '{"en": "Superuser", "tr": "Süper kullanıcı"}', '{"en": "May do everything.", "tr": "Her şeyi yapabilir."}', true);
