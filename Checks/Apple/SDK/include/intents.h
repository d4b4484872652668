// https://developer.apple.com/documentation/intents: a class NAME is at …/intents/NAME, in lower case.
#ifndef STUB_INTENTS
#define STUB_INTENTS
#include "usernotifications.h"
#pragma clang assume_nonnull begin

@class INImage;
// …/intents/inintent: setImage(_:forParameterNamed:) of Swift's overlay
@interface INIntent : NSObject <NSCopying>
@end
@interface INIntentResponse : NSObject <NSCopying>
@end
// …/intents/inimage/init(imagedata:)
@interface INImage : NSObject <NSCopying>
+ (instancetype)imageWithImageData:(NSData *)data;
@end
// …/intents/inspeakablestring/init(spokenphrase:)
@interface INSpeakableString : NSObject <NSCopying>
- (instancetype)initWithSpokenPhrase:(NSString *)phrase;
@end
@interface INSendMessageAttachment : NSObject
@end
@interface NSPersonNameComponents : NSObject <NSCopying>
@end

// …/intents/inpersonhandletype
typedef enum __attribute__((enum_extensibility(open))) INPersonHandleType : NSInteger INPersonHandleType;
enum INPersonHandleType : NSInteger {
  INPersonHandleTypeUnknown,
  INPersonHandleTypeEmailAddress,
  INPersonHandleTypePhoneNumber,
};

// …/intents/inpersonhandle/init(value:type:)
@interface INPersonHandle : NSObject <NSCopying>
- (instancetype)initWithValue:(nullable NSString *)value type:(INPersonHandleType)type;
@end

// …/intents/inperson/init(personhandle:namecomponents:displayname:image:contactidentifier:customidentifier:)
@interface INPerson : NSObject <NSCopying>
- (instancetype)initWithPersonHandle:(INPersonHandle *)handle
                      nameComponents:(nullable NSPersonNameComponents *)components
                         displayName:(nullable NSString *)name
                               image:(nullable INImage *)image
                   contactIdentifier:(nullable NSString *)contact
                    customIdentifier:(nullable NSString *)identifier;
@end

// …/intents/inoutgoingmessagetype
typedef enum __attribute__((enum_extensibility(open))) INOutgoingMessageType : NSInteger INOutgoingMessageType;
enum INOutgoingMessageType : NSInteger {
  INOutgoingMessageTypeUnknown,
  INOutgoingMessageTypeOutgoingMessageText,
  INOutgoingMessageTypeOutgoingMessageAudio,
};

// …/intents/insendmessageintent/init(recipients:outgoingmessagetype:content:speakablegroupname:conversationidentifier:
// servicename:sender:attachments:)
@interface INSendMessageIntent : INIntent <UNNotificationContentProviding>
- (instancetype)initWithRecipients:(nullable NSArray<INPerson *> *)recipients
               outgoingMessageType:(INOutgoingMessageType)type
                           content:(nullable NSString *)content
                speakableGroupName:(nullable INSpeakableString *)group
            conversationIdentifier:(nullable NSString *)conversation
                       serviceName:(nullable NSString *)service
                            sender:(nullable INPerson *)sender
                       attachments:(nullable NSArray<INSendMessageAttachment *> *)attachments;
@property(readonly, nullable, copy) INSpeakableString *speakableGroupName;
@end

// …/intents/ininteractiondirection
typedef enum __attribute__((enum_extensibility(open))) INInteractionDirection : NSInteger INInteractionDirection;
enum INInteractionDirection : NSInteger {
  INInteractionDirectionUnspecified,
  INInteractionDirectionOutgoing,
  INInteractionDirectionIncoming,
};

// …/intents/ininteraction: init(intent:response:), direction, donate(completion:)
@interface INInteraction : NSObject <NSCopying>
- (instancetype)initWithIntent:(INIntent *)intent response:(nullable INIntentResponse *)response;
@property INInteractionDirection direction;
@property(nullable, copy) NSString *groupIdentifier;
- (void)donateInteractionWithCompletion:(nullable void (^)(NSError *_Nullable error))completion SWIFT("donate(completion:)");
@end
#pragma clang assume_nonnull end
#endif
